package ir

var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

// Opposite returns the comparison of integers that holds if op does not, or "" if op is no comparison.
// Of floats, only == and != have an opposite: with NaN, neither x < y nor x >= y holds.
func Opposite(op string) string { return opposites[op] }

// Compares reports whether an operator compares two numbers.
func Compares(op string) bool { return Opposite(op) != "" }
