package parser

// A kind is the kind of a token.
type kind uint8

// The kinds of tokens. Those with a fixed spelling stand in spellings.
const (
	kEOF kind = iota
	kBad
	kName
	kNumber
	kString
	kPrim // i32 and its kin

	kLParen
	kRParen
	kLBrack
	kRBrack
	kLBrace
	kRBrace
	kComma
	kColon
	kSemicolon
	kAt
	kQuery
	kAssign
	kArrow
	kUpTo

	kOrOr
	kAndAnd
	kOr
	kXor
	kAnd
	kEqual
	kNotEqual
	kLess
	kLessEqual
	kGreater
	kGreaterEqual
	kShiftLeft
	kShiftRight
	kPlus
	kMinus
	kStar
	kSlash
	kPercent
	kPower
	kNot
	kTilde

	kLet
	kAssert
	kIn
	kFun
	kEntry
	kIf
	kThen
	kElse
	kLoop
	kFor
	kWhile
	kWith
	kTrue
	kFalse
	kMem
	kMap
	kReduce
	kScan
	kScatter
	kHist
	kOp
	kNeutral
	kCommutative
	kCopy
	kConcat
	kScratch
	kIota
	kReplicate
	kReshape
	kRearrange
	kAlloc
	kinds
)

var spellings = [kinds]string{
	kLParen: "(", kRParen: ")", kLBrack: "[", kRBrack: "]", kLBrace: "{", kRBrace: "}",
	kComma: ",", kColon: ":", kSemicolon: ";", kAt: "@", kQuery: "?", kAssign: "=", kArrow: "->", kUpTo: "..<",

	kOrOr: "||", kAndAnd: "&&", kOr: "|", kXor: "^", kAnd: "&", kEqual: "==", kNotEqual: "!=",
	kLess: "<", kLessEqual: "<=", kGreater: ">", kGreaterEqual: ">=", kShiftLeft: "<<", kShiftRight: ">>",
	kPlus: "+", kMinus: "-", kStar: "*", kSlash: "/", kPercent: "%", kPower: "**", kNot: "!", kTilde: "~",

	kLet: "let", kAssert: "assert", kIn: "in", kFun: "fun", kEntry: "entry", kIf: "if", kThen: "then", kElse: "else",
	kLoop: "loop", kFor: "for", kWhile: "while", kWith: "with", kTrue: "true", kFalse: "false", kMem: "mem",
	kMap: "map", kReduce: "reduce", kScan: "scan", kScatter: "scatter", kHist: "hist",
	kOp: "op", kNeutral: "neutral", kCommutative: "commutative",
	kCopy: "copy", kConcat: "concat", kScratch: "scratch", kIota: "iota", kReplicate: "replicate",
	kReshape: "reshape", kRearrange: "rearrange", kAlloc: "alloc",
}

// precedence of the binary operators, 0 for everything else: C's, with ** above
// *. All of them group to the left.
var precedence = [kinds]int{
	kOrOr: 1, kAndAnd: 2, kOr: 3, kXor: 4, kAnd: 5, kEqual: 6, kNotEqual: 6,
	kLess: 7, kLessEqual: 7, kGreater: 7, kGreaterEqual: 7, kShiftLeft: 8, kShiftRight: 8,
	kPlus: 9, kMinus: 9, kStar: 10, kSlash: 10, kPercent: 10, kPower: 11,
}

// reserved maps the reserved words to their kinds.
var reserved = map[string]kind{
	"i8": kPrim, "i16": kPrim, "i32": kPrim, "i64": kPrim, "u8": kPrim, "u16": kPrim, "u32": kPrim, "u64": kPrim,
	"f16": kPrim, "f32": kPrim, "f64": kPrim, "bool": kPrim,
}

// longestWord bounds the length of a reserved word.
const longestWord = len("commutative")

func init() {
	for k := kLet; k < kinds; k++ {
		reserved[spellings[k]] = k
	}
}

// reserved reports whether a kind is a reserved word.
func (k kind) reserved() bool { return k == kPrim || k >= kLet }

// A token is a kind and a position, as offsets into the scanner's text.
type token struct {
	kind       kind
	start, end int
}
