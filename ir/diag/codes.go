package diag

// A Code names a rule that a program breaks. The place that reports an error names its code, so nothing looks
// for one in the words of a message. Codes are stable: the words may change, and a number never gets another
// rule. internal/compiler/explain/errors.md has a page for each.
type Code string

// A Coded is an error that has no place in a program, with its code.
type Coded struct {
	Code Code
	Err  error
}

func (e *Coded) Error() string { return e.Err.Error() }

// Unwrap returns the error without its code.
func (e *Coded) Unwrap() error { return e.Err }

// Codes of the text, before any name has a meaning.
const (
	BadSyntax      Code = "E001"
	BadLiteral     Code = "E002"
	TooLarge       Code = "E003"
	BadVersion     Code = "E004"
	BadOrigin      Code = "E005"
	NoFunction     Code = "E006"
	SliceWithin    Code = "E007"
	MarkOnScalar   Code = "E008"
	BadDim         Code = "E009"
	BadIndexFun    Code = "E010"
	AssertionForm  Code = "E011"
	BadJSON        Code = "E012"
	BadFutharkDump Code = "E013"
)

// Codes of names.
const (
	UnknownName     Code = "E101"
	OutOfScope      Code = "E102"
	BoundAgain      Code = "E103"
	FunctionTaken   Code = "E104"
	UnknownFunction Code = "E105"
	Recursion       Code = "E106"
	HeaderSize      Code = "E107"
)

// Codes of types.
const (
	WrongType      Code = "E201"
	OneType        Code = "E202"
	OperandType    Code = "E203"
	LiteralRange   Code = "E204"
	NeedsScalar    Code = "E205"
	NeedsArray     Code = "E206"
	BlockAsValue   Code = "E207"
	WrongRank      Code = "E208"
	ArgumentCount  Code = "E209"
	ValueCount     Code = "E210"
	ElementUnknown Code = "E211"
	WhileCondition Code = "E212"
)

// Codes of sizes.
const (
	SizesDiffer  Code = "E301"
	SizeNegative Code = "E302"
	SizeHidden   Code = "E303"
	SizeRagged   Code = "E304"
	BadPerm      Code = "E305"
)

// Codes of kernels.
const (
	KernelWithin    Code = "E401"
	OperatorScalars Code = "E402"
	OperatorShape   Code = "E403"
	NothingNamed    Code = "E404"
	NoAccumulator   Code = "E405"
)

// Codes of arrays that are consumed.
const (
	UsedConsumed   Code = "E501"
	NotConsumable  Code = "E502"
	SharedElements Code = "E503"
	WrittenTwice   Code = "E504"
)

// Codes of blocks and places.
const (
	NeedsPlace     Code = "E601"
	EntryPlace     Code = "E602"
	NotRowMajor    Code = "E603"
	OtherPlace     Code = "E604"
	BindsNoBlock   Code = "E605"
	NotABlock      Code = "E606"
	IndexFunShape  Code = "E607"
	PlacedTooEarly Code = "E608"
	SamePlace      Code = "E609"
	PlaceReads     Code = "E610"
	UnknownSpace   Code = "E611"
	LocalBlock     Code = "E612"
	HalfPlaced     Code = "E613"
)

// Codes of what the checker of memory finds wrong, or cannot prove right.
const (
	Overwritten  Code = "E701"
	Race         Code = "E702"
	OutsideBlock Code = "E703"
	SharedMemory Code = "E704"
	CallersBlock Code = "E705"
)

// Codes of a run: what the program does with its input.
const (
	IndexOutside   Code = "E801"
	SliceOutside   Code = "E802"
	SliceRepeats   Code = "E803"
	NegativeSize   Code = "E804"
	SizesDisagree  Code = "E805"
	FailedAssert   Code = "E806"
	DividedByZero  Code = "E807"
	NegativePower  Code = "E808"
	ElementTwice   Code = "E809"
	Undefined      Code = "E810"
	TooManyThreads Code = "E811"
	OutOfMemory    Code = "E812"
)

// Codes of a call: what the caller hands over.
const (
	NoEntry      Code = "E901"
	CallCount    Code = "E902"
	ArgumentType Code = "E903"
	ArgumentSize Code = "E904"
	ArrayGone    Code = "E905"
	ArrayTwice   Code = "E906"
	BadValue     Code = "E907"
)
