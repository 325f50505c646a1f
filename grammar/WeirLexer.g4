// The tokens of Weir. Input symbols are the bytes of the UTF-8 text, so that token positions are byte offsets.
// Every symbol becomes a token, and spaces and comments stand on the hidden channel: the tokens joined are the text.
lexer grammar WeirLexer;

// Made before parsing: the `in` of a `let` is the first one at the `let`'s own bracket depth, the arrow of an arm of a
// `match` the first one of the arm outside brackets. Mistakes that were reported: a string without its end, and a
// character without a meaning between two operands.
// With their ends: raw strings, and comments as in C.
tokens { K_LET_IN, ARM_ARROW, BAD_STRING, BAD_OPERATOR, RAW_STRING, F_COMMENT }

// ---- hidden

BYTE_ORDER_MARK : '\u00EF\u00BB\u00BF' -> channel(HIDDEN) ;
SPACE           : [ \t\r\n]+ -> channel(HIDDEN) ;
DOC_COMMENT     : '///' ~[\r\n]* -> channel(HIDDEN) ;
LINE_COMMENT    : '//' ~[\r\n]* -> channel(HIDDEN) ;

// ---- reserved words

K_TRUE    : 'true' ;
K_FALSE   : 'false' ;
K_NULL    : 'null' ;
K_AND     : 'and' ;
K_OR      : 'or' ;
K_NOT     : 'not' ;
K_IN      : 'in' ;
K_IS      : 'is' ;
K_IF      : 'if' ;
K_THEN    : 'then' ;
K_ELSE    : 'else' ;
K_LET     : 'let' ;
K_MATCH   : 'match' ;
K_TRY     : 'try' ;
K_CAPTURE : 'capture' ;

// ---- contextual words: names everywhere else (rule `name` of the parser lists them)

K_ACCEPT      : 'accept' ;
K_AFTER       : 'after' ;
K_AGGREGATE   : 'aggregate' ;
K_ALIGNMENT   : 'alignment' ;
K_ALL         : 'all' ;
K_ANTI        : 'anti' ;
K_ANY         : 'any' ;
K_AS          : 'as' ;
K_ASSERT      : 'assert' ;
K_BY          : 'by' ;
K_CHANGE      : 'change' ;
K_CHANGES     : 'changes' ;
K_CHECKPOINT  : 'checkpoint' ;
K_CLOSE       : 'close' ;
K_COMPLETE    : 'complete' ;
K_DECODE      : 'decode' ;
K_DEDUP       : 'dedup' ;
K_DELIVER     : 'deliver' ;
K_DESC        : 'desc' ;
K_DETERMINISM : 'determinism' ;
K_DROP        : 'drop' ;
K_EARLY       : 'early' ;
K_EMIT        : 'emit' ;
K_ERROR       : 'error' ;
K_EVERY       : 'every' ;
K_EXPECT      : 'expect' ;
K_EXPIRE      : 'expire' ;
K_EXTEND      : 'extend' ;
K_EXTERN      : 'extern' ;
K_FAIL        : 'fail' ;
K_FIRST       : 'first' ;
K_FLATTEN     : 'flatten' ;
K_FN          : 'fn' ;
K_FROM        : 'from' ;
K_GIVEN       : 'given' ;
K_HEADERS     : 'headers' ;
K_HORIZON     : 'horizon' ;
K_IDENTITY    : 'identity' ;
K_IDLE        : 'idle' ;
K_JOIN        : 'join' ;
K_KEEP        : 'keep' ;
K_KEY         : 'key' ;
K_LAST        : 'last' ;
K_LATE        : 'late' ;
K_LATENESS    : 'lateness' ;
K_LATEST      : 'latest' ;
K_LEFT        : 'left' ;
K_LOOKUP      : 'lookup' ;
K_MEMORY      : 'memory' ;
K_OF          : 'of' ;
K_ON          : 'on' ;
K_OVER        : 'over' ;
K_PARALLELISM : 'parallelism' ;
K_PARAM       : 'param' ;
K_PARTITION   : 'partition' ;
K_PARTITIONED : 'partitioned' ;
K_PATH        : 'path' ;
K_PER         : 'per' ;
K_PIPELINE    : 'pipeline' ;
K_PROTOCOL    : 'protocol' ;
K_RAW         : 'raw' ;
K_RENAME      : 'rename' ;
K_REPLAY      : 'replay' ;
K_ROLLBACK    : 'rollback' ;
K_SCAN        : 'scan' ;
K_SELECT      : 'select' ;
K_SEMI        : 'semi' ;
K_SEQUENCE    : 'sequence' ;
K_SINK        : 'sink' ;
K_SOURCE      : 'source' ;
K_SPLIT       : 'split' ;
K_STREAM      : 'stream' ;
K_TABLE       : 'table' ;
K_TEST        : 'test' ;
K_TIME        : 'time' ;
K_TIMEOUT     : 'timeout' ;
K_TIMESTAMP   : 'timestamp' ;
K_TO          : 'to' ;
K_TOP         : 'top' ;
K_TOPIC       : 'topic' ;
K_TYPE        : 'type' ;
K_UNION       : 'union' ;
K_USE         : 'use' ;
K_WHERE       : 'where' ;
K_WITH        : 'with' ;
K_WITHIN      : 'within' ;

// ---- raw strings (before names: they begin with an r)

// The beginning only: its end is looked for outside the lexer, which would read to the end of the text for each one that has none.
UNTERMINATED_RAW : 'r' '#'? '#'? '#'? '"' ;

// ---- names and literals

NAME     : [a-zA-Z_] [a-zA-Z0-9_]* ;
BACKTICK : '`' ~[`\r\n]+ '`' ;

INT      : DIGITS ;
HEX      : '0' [xX] [0-9a-fA-F] ('_'? [0-9a-fA-F])* ;
DECIMAL  : DIGITS '.' DIGITS ;
FLOAT    : DIGITS ('.' DIGITS)? [eE] [+-]? DIGITS ;
DURATION : DIGITS ('us' | 'ms' | 's' | 'm' | 'h' | 'd') ;
SIZE     : DIGITS ('B' | 'kB' | 'KB' | 'MB' | 'GB' | 'TB' | 'KiB' | 'MiB' | 'GiB' | 'TiB') ;
// Whatever else begins like a number: `1h30m`, `1xx`, `1.5h`.
BAD_NUMBER : [0-9] [0-9a-zA-Z_]* ('.' [0-9] [0-9a-zA-Z_]*)? ;

TIMESTAMP : '@' DATE 'T' D D ':' D D (':' D D ('.' D+)?)? ('Z' | [+-] D D ':' D D)? ;
DATE_LITERAL : '@' DATE ;
BAD_TIMESTAMP : '@' [0-9a-zA-Z:]* ;

fragment DIGITS : D ('_'? D)* ;
fragment DATE   : D D D D '-' D D '-' D D ;
fragment D      : [0-9] ;

STRING_OPEN : '"' -> pushMode(STRING) ;

// ---- marks

PIPE_STEP  : '|>' ;
ARROW      : '->' ;
FAT_ARROW  : '=>' ;
EQUAL      : '==' ;
NOT_EQUAL  : '!=' ;
LESS_EQUAL    : '<=' ;
GREATER_EQUAL : '>=' ;
LESS       : '<' ;
GREATER    : '>' ;
COALESCE   : '??' ;
SAFE_DOT   : '?.' ;
QUESTION   : '?' ;
DOT_DOT    : '..' ;
DOT        : '.' ;
COMMA      : ',' ;
COLON      : ':' ;
ASSIGN     : '=' ;
PLUS       : '+' ;
MINUS      : '-' ;
STAR       : '*' ;
SLASH      : '/' ;
PERCENT    : '%' ;
BAR        : '|' ;
L_PAREN    : '(' ;
R_PAREN    : ')' ;
L_BRACKET  : '[' ;
R_BRACKET  : ']' ;
// Braces nest, so that the one that ends `${` is known.
L_BRACE    : '{' -> pushMode(DEFAULT_MODE) ;
R_BRACE    : '}' -> popMode ;

// ---- of other languages; always an error, most with a suggested edit

F_AND         : '&&' ;
F_OR          : '||' ;
F_NOT_EQUAL   : '<>' ;
F_SAME        : '===' ;
F_NOT_SAME    : '!==' ;
F_NOT         : '!' ;
F_POWER       : '**' ;
F_SEMICOLON   : ';' ;
F_QUOTED      : '\'' ~['\r\n]* '\'' ;
F_COMMENT_OPEN  : '/*' ;   // likewise its beginning only
F_COMMENT_CLOSE : '*/' ;
UNKNOWN       : . ;

// ---- inside "…"

mode STRING;

STRING_CLOSE  : '"' -> popMode ;
INTERP_OPEN   : '${' -> pushMode(DEFAULT_MODE) ;
ESCAPE        : '\\u{' ~["}\r\n]* '}' | '\\' ~[\r\n] ;
STRING_TEXT   : ~["\\\r\n$]+ | '$' ;
STRING_END    : [\r\n] -> popMode ;       // the string has no end
STRING_SLASH  : '\\' -> type(STRING_TEXT) ;
