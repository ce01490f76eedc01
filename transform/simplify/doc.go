// Package simplify drops what nobody uses or somebody has computed before.
package simplify
