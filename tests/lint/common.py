"""What the checks share: the tracked files, and how findings are printed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns):
    """Paths below the root of the files that git tracks or would track."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *patterns]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [Path(line) for line in output.splitlines() if (ROOT / line).is_file()]


def finish(findings, checked):
    """Prints the findings and ends the program."""
    for finding in findings:
        print(finding)
    print(f"{checked} files, {len(findings)} findings")
    sys.exit(1 if findings else 0)
