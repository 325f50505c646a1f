# filled by weir_kit
