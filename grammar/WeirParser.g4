// The grammar of Weir. One declaration is parsed at a time (the text is split before), so the entry rules are
// `declaration` and `lone_expression`. A comma that is optional here is missing, and reported while the tree is built. Which words and how many clauses are legal beyond this is checked while
// the tree is built, so that the messages can say more.
parser grammar WeirParser;

options { tokenVocab = WeirLexer; }

declaration
  : ( pipeline_decl | use_decl | type_decl | fn_decl | extern_decl | param_decl | source_decl | table_decl
    | stream_decl | sink_decl | test_decl ) EOF
  ;

lone_expression : expr EOF ;

// ---- declarations

pipeline_decl : K_PIPELINE name L_BRACE setting* R_BRACE ;

setting
  : K_CHECKPOINT checkpoint_part+       # checkpointSetting
  | K_PROTOCOL name                     # protocolSetting
  | K_ALIGNMENT K_TIMEOUT expr          # alignmentSetting
  | K_PARALLELISM expr                  # parallelismSetting
  | K_REPLAY K_HORIZON expr             # replaySetting
  | K_DETERMINISM name                  # determinismSetting
  | K_ROLLBACK name                     # rollbackSetting
  | K_MEMORY expr                       # memorySetting
  ;

checkpoint_part : K_EVERY expr | K_TO text | K_KEEP expr ;

use_decl : K_USE text ;

type_decl : K_TYPE name ASSIGN ( record_body | enum_body ) ;

record_body : L_BRACE ( field_decl ( COMMA? field_decl )* COMMA? )? R_BRACE ;

field_decl : DOT_DOT? name COLON type_expr ( K_AS text )? ;

enum_body : BAR? name ( BAR name )* ;

fn_decl : K_FN name type_params? L_PAREN params? R_PAREN ARROW type_expr ASSIGN expr ;

extern_decl : K_EXTERN K_FN name L_PAREN params? R_PAREN ARROW type_expr name? K_FROM text ;

type_params : LESS name ( COMMA name )* GREATER ;

params : fn_param ( COMMA fn_param )* COMMA? ;

fn_param : name COLON type_expr ;

param_decl : K_PARAM name COLON type_expr ASSIGN expr ;

source_decl : K_SOURCE name COLON type_expr K_FROM connector ( K_THEN connector )* source_clause* ;

table_decl
  : K_TABLE name COLON type_expr K_FROM connector ( K_THEN connector )* source_clause*  # sourceTable
  | K_TABLE name ASSIGN query                                                           # queryTable
  ;

source_clause
  : K_IDENTITY expr ( COMMA expr )*                                      # identityClause
  | K_KEY expr ( COMMA expr )*                                           # keyClause
  | K_TIME expr ( K_LATENESS expr )? ( K_IDLE K_AFTER expr )?            # timeClause
  | K_ON K_ERROR policy                                                  # onErrorClause
  | K_ON K_LATE policy                                                   # onLateClause
  | K_PARTITIONED K_BY expr                                              # partitionedClause
  | K_DECODE expr                                                        # decodeClause
  | accept                                                               # acceptClause
  ;

policy : K_FAIL | K_DROP | K_TO name ;

accept : K_ACCEPT name text ;

connector : name L_PAREN args? R_PAREN ;

stream_decl : K_STREAM name ASSIGN query ;

sink_decl : K_SINK name ( K_FROM name )? K_TO connector sink_clause* ;

sink_clause
  : K_KEY expr ( COMMA expr )*                                           # sinkKeyClause
  | K_HEADERS L_BRACE ( header ( COMMA header )* COMMA? )? R_BRACE       # headersClause
  | K_TIMESTAMP expr                                                     # timestampClause
  | K_TOPIC expr                                                         # topicClause
  | K_PARTITION assignment ( COMMA assignment )*                         # partitionClause
  | K_PATH expr                                                          # pathClause
  | K_DELIVER K_EARLY                                                    # deliverClause
  | accept                                                               # sinkAcceptClause
  ;

header : name COLON expr ;

test_decl : K_TEST text L_BRACE test_step* R_BRACE ;

test_step
  : K_GIVEN name ( K_SPLIT text )? K_RAW? list                           # givenStep
  | K_GIVEN K_CAPTURE name ( DOT name )? list                            # givenCaptureStep
  | K_WITH name ASSIGN expr                                              # withStep
  | K_EXPECT name list                                                   # expectStep
  ;

// ---- types

type_expr : simple_type QUESTION? ;

simple_type
  : K_FN L_PAREN ( type_expr ( COMMA type_expr )* )? R_PAREN ARROW type_expr        # functionType
  | name ( LESS type_expr ( COMMA type_expr )* GREATER )? ( L_PAREN args? R_PAREN )?   # namedType
  ;

// ---- pipelines

query : name ( K_AS name )? ( PIPE_STEP step )* ;

step
  : K_WHERE expr                                                         # whereStep
  | K_SELECT item ( COMMA item )*                                        # selectStep
  | K_EXTEND assignment ( COMMA assignment )*                            # extendStep
  | K_DROP name ( COMMA name )*                                          # dropStep
  | K_RENAME renaming ( COMMA renaming )*                                # renameStep
  | K_FLATTEN expr K_AS name                                             # flattenStep
  | K_AGGREGATE aggregate_item ( COMMA aggregate_item )* aggregate_clause*   # aggregateStep
  | K_SCAN K_BY items K_FROM expr K_WITH expr ( K_EXPIRE expr )?         # scanStep
  | ( K_LEFT | K_SEMI | K_ANTI )? K_JOIN name ( K_AS name )? K_ON expr join_bounds?  # joinStep
  | K_SEQUENCE K_BY items K_WITHIN expr L_BRACE sequence_item ( COMMA sequence_item )* COMMA? R_BRACE
    ( K_EMIT ( K_COMPLETE | K_TIMEOUT | K_ALL ) )?                       # sequenceStep
  | K_CAPTURE? K_LOOKUP connector ( K_AS name )? K_ON expr               # lookupStep
  | K_UNION name ( COMMA name )*                                         # unionStep
  | K_DEDUP K_BY items ( K_WITHIN expr )? ( K_KEEP ( K_FIRST | K_LAST | K_ANY ) )?   # dedupStep
  | K_TOP expr K_BY order_item ( COMMA order_item )* ( K_PER items )?    # topStep
  | K_LATEST K_BY items                                                  # latestStep
  | K_CHANGES                                                            # changesStep
  | K_KEY K_BY items                                                     # keyByStep
  | K_ASSERT expr ( COMMA? text )?                                       # assertStep
  ;

item : ( name ASSIGN )? expr ;

items : item ( COMMA item )* ;

assignment : name ASSIGN expr ;

renaming : name ASSIGN name ;

aggregate_item : name ASSIGN expr ( K_WHERE expr )? ;

aggregate_clause : K_BY items | K_OVER window | emit ;

window : name L_PAREN args? R_PAREN ;

emit : K_EMIT ( K_ON K_CLOSE | K_ON K_CHANGE | K_EVERY expr ) ;

join_bounds
  : K_WITHIN expr ( DOT_DOT expr )?
  | K_OVER window
  | K_AS K_OF K_TIME
  ;

sequence_item : name COLON expr ;

order_item : expr K_DESC? ;

// ---- expressions, tightest first

expr
  : primary                                                              # primaryExpr
  | expr ( DOT | SAFE_DOT ) name ( L_PAREN args? R_PAREN )?              # memberExpr
  | expr L_BRACKET expr R_BRACKET                                        # indexExpr
  | MINUS expr                                                           # negateExpr
  | K_TRY expr                                                           # tryExpr
  | K_CAPTURE expr                                                       # captureExpr
  | K_CAPTURE text expr                                                  # namedCaptureExpr
  | expr ( STAR | SLASH | PERCENT | BAD_OPERATOR ) expr                                 # binaryExpr
  | expr ( PLUS | MINUS ) expr                                           # binaryExpr
  | expr COALESCE expr                                                   # binaryExpr
  | expr ( EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL | ASSIGN ) expr   # binaryExpr
  | expr K_NOT? K_IN expr                                                # inExpr
  | expr K_IS K_NOT? K_NULL                                              # isNullExpr
  | K_NOT expr                                                           # notExpr
  | expr K_AND expr                                                      # binaryExpr
  | expr K_OR expr                                                       # binaryExpr
  | K_IF ( K_LET name ASSIGN )? expr K_THEN expr K_ELSE expr             # ifExpr
  | K_LET name ASSIGN expr K_LET_IN expr                                    # letExpr
  | lambda_params FAT_ARROW expr                                         # lambdaExpr
  ;

lambda_params : name | L_PAREN ( name ( COMMA name )* )? R_PAREN ;

primary
  : L_PAREN expr R_PAREN                                                 # parenthesised
  | literal                                                              # literalPrimary
  | string                                                               # stringPrimary
  | list                                                                 # listPrimary
  | record                                                               # recordPrimary
  | K_MATCH expr L_BRACE ( match_arm ( COMMA? match_arm )* COMMA? )? R_BRACE   # matchPrimary
  | name L_PAREN args? R_PAREN                                           # callPrimary
  | name                                                                 # namePrimary
  ;

literal
  : K_NULL | K_TRUE | K_FALSE | INT | HEX | DECIMAL | FLOAT | DURATION | SIZE | TIMESTAMP | DATE_LITERAL
  | BAD_NUMBER | BAD_TIMESTAMP
  ;

string : STRING_OPEN string_part* STRING_CLOSE | RAW_STRING | BAD_STRING ;

string_part : STRING_TEXT | ESCAPE | INTERP_OPEN expr R_BRACE ;

// A string without interpolation (checked while building).
text : string ;

list : L_BRACKET ( expr ( COMMA expr )* COMMA? )? R_BRACKET ;

record : L_BRACE ( record_entry ( COMMA? record_entry )* COMMA? )? R_BRACE ;

// A name in quotes is a key of a map.
record_entry : ( name | text ) COLON expr | DOT_DOT expr? ;

match_arm : pattern ( K_IF expr )? ARM_ARROW expr ;

pattern : simple_pattern ( BAR simple_pattern )* ;

simple_pattern : MINUS? literal | string | name ;

args : arg ( COMMA arg )* COMMA? ;

// `null: ["-"]` is an option of text formats.
arg : ( ( name | K_NULL ) COLON )? expr ;

// ---- names: everything that is not reserved

name
  : NAME | BACKTICK
  | K_ACCEPT | K_AFTER | K_AGGREGATE | K_ALIGNMENT | K_ALL | K_ANTI | K_ANY | K_AS | K_ASSERT | K_BY | K_CHANGE
  | K_CHANGES | K_CHECKPOINT | K_CLOSE | K_COMPLETE | K_DECODE | K_DEDUP | K_DELIVER | K_DESC | K_DETERMINISM
  | K_DROP | K_EARLY | K_EMIT | K_ERROR | K_EVERY | K_EXPECT | K_EXPIRE | K_EXTEND | K_EXTERN | K_FAIL | K_FIRST
  | K_FLATTEN | K_FN | K_FROM | K_GIVEN | K_HEADERS | K_HORIZON | K_IDENTITY | K_IDLE | K_JOIN | K_KEEP | K_KEY
  | K_LAST | K_LATE | K_LATENESS | K_LATEST | K_LEFT | K_LOOKUP | K_MEMORY | K_OF | K_ON | K_OVER | K_PARALLELISM
  | K_PARAM | K_PARTITION | K_PARTITIONED | K_PATH | K_PER | K_PIPELINE | K_PROTOCOL | K_RAW | K_RENAME | K_REPLAY
  | K_ROLLBACK | K_SCAN | K_SELECT | K_SEMI | K_SEQUENCE | K_SINK | K_SOURCE | K_SPLIT | K_STREAM | K_TABLE | K_TEST
  | K_TIME | K_TIMEOUT | K_TIMESTAMP | K_TO | K_TOP | K_TOPIC | K_TYPE | K_UNION | K_USE | K_WHERE | K_WITH
  | K_WITHIN
  ;
