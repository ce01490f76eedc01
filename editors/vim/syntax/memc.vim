" Syntax of memc's IR (docs/ir.md). A test holds the words against docs/grammar.md.
if exists("b:current_syntax")
  finish
endif

syn keyword memcDeclaration entry fun contract let assert
syn keyword memcControl if then else for while loop in with
syn keyword memcKernel map reduce scan scatter hist op neutral commutative over any into
syn keyword memcOperation alloc copy concat scratch iota replicate reshape rearrange size threads
syn keyword memcPlace mem Direct LMAD Permute Reshape Slice
syn keyword memcType i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syn keyword memcBoolean true false
syn match memcNumber "\<\d[0-9a-zA-Z_]*\(\.\d[0-9a-zA-Z_]*\)\?\(e[-+]\?\d\+[0-9a-z]*\)\?"
syn match memcNumber "\<f\(16\|32\|64\)\.\(nan\|inf\)\>"
syn match memcAt "@\s*?\?[A-Za-z_][A-Za-z0-9_']*"
syn region memcString start=+"+ skip=+\\.+ end=+"+ oneline
syn match memcTest "\(structure\|input\|output\|random input\|error\|entry\|tolerance\)\>" contained
syn match memcComment "--.*$" contains=memcTest,@Spell
syn match memcOrigin "--@.*$"

hi def link memcDeclaration Keyword
hi def link memcControl Conditional
hi def link memcKernel Repeat
hi def link memcOperation Function
hi def link memcPlace StorageClass
hi def link memcType Type
hi def link memcBoolean Boolean
hi def link memcNumber Number
hi def link memcAt Identifier
hi def link memcString String
hi def link memcTest SpecialComment
hi def link memcComment Comment
hi def link memcOrigin PreProc

let b:current_syntax = "memc"
