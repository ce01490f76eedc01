package places

import "testing"

// A pair is two arrays of 4-byte elements, and whether they are to be seen to
// be disjoint. Every positive has a negative neighbour, which does overlap for
// some values.
type pair struct {
	name, facts, a, b string
	want              bool
}

const nw = "n == q*b + 1; q >= 2; b >= 2; i >= 0; i < q; "

// The anti-diagonals of elements of a row-major matrix with a border: thread i
// makes element (y, x). And those of tiles of b by b, each contiguous: thread i
// makes tile (i, j), an element (r, c) of it, in the first half.
const (
	nwElements = "n > 0; w == n+1; 0<=t&&t<2*n-1; d == t+2; lo == max(1,d-n); count == min(n,d-1)-lo+1; 0<=i&&i<count; y == lo+i; x == d-y"
	nwTiles    = "b >= 0; q*b == n; q > 0; 0<=w&&w<q; 0<=i&&i<w+1; j == w-i; 0<=r&&r<b; 0<=c&&c<b"
	nwLower    = "b >= 0; q*b == n; q > 0; 0<=v&&v<q-1; m == q-1-v; 0<=i&&i<m; y == v+1+i; x == q-1-i; 0<=r&&r<b; 0<=c&&c<b"
)

var pairs = []pair{
	{"rows", "0 <= i && i < j && j < n; m >= 0", "i*m; m : 1", "j*m; m : 1", true},
	{"rows, same", "0 <= i && i <= j && j < n; m >= 0", "i*m; m : 1", "j*m; m : 1", false},
	{"rows, unequal", "0 <= i && i < n; 0 <= j && j < n; i != j", "i*m; m : 1", "j*m; m : 1", true},
	{"rows, too long", "0 <= i && i < n; 0 <= j && j < n; i != j", "i*m; m+1 : 1", "j*m; m : 1", false},
	{"columns", "0 <= i && i < m; 0 <= j && j < m; i != j", "i; n : m", "j; n : m", true},
	{"columns, out of the row", "0 <= i && i <= m; 0 <= j && j < m; i != j", "i; n : m", "j; n : m", false},
	{"column blocks", "0 <= k && k <= m", "0; n : m, k : 1", "k; n : m, m-k : 1", true},
	{"column blocks, one common", "0 < k && k <= m", "0; n : m, k : 1", "k-1; n : m, m-k : 1", false},
	{"halves", "0 <= k && k <= n", "0; k : 1", "k; n-k : 1", true},
	{"halves, one common", "0 < k && k <= n", "0; k : 1", "k-1; n-k : 1", false},
	{"halves, reversed", "0 <= k && k <= n", "k-1; k : -1", "n-1; n-k : -1", true},
	{"halves, reversed, one common", "0 <= k && k < n", "k; k+1 : -1", "n-1; n-k : -1", false},
	{"even and odd", "", "0; n : 2", "1; m : 2", true},
	{"even and even", "", "0; n : 2", "4; m : 2", false},
	{"even and odd, from anywhere", "", "2*i; n : 2", "2*j+1; m : 2", true},
	{"even and unknown", "", "2*i; n : 2", "j+1; m : 2", false},
	{"residues of 6 and 4", "", "0; n : 6", "3; m : 4", true},
	{"residues of 6 and 4, alike", "", "0; n : 6", "2; m : 4", false},
	{"interleaved by threads", "0 <= i && i < n; 0 <= j && j < n; i != j", "i; s : n", "j; s : n", true},
	{"interleaved by threads, no bound", "0 <= i; 0 <= j && j < n; i != j", "i; s : n", "j; s : n", false},
	{"own parts", "i != j", "i*s; s : 1", "j*s; s : 1", true},
	{"own parts, reaching over", "i != j", "i*s; s+1 : 1", "j*s; s : 1", false},
	{"own parts, shifted", "i != j", "o + i*s; s : 1", "o + j*s; s : 1", true},
	{"own parts, shifted apart", "i != j", "o + i*s; s : 1", "p + j*s; s : 1", false},
	{"own matrices", "i != j", "i*s*t; s : t, t : 1", "j*s*t; t : s, s : 1", true},
	{"own matrices, a column more", "i != j", "i*s*t; s : t, t+1 : 1", "j*s*t; s : t, t : 1", false},
	{"threads of two dimensions", "0<=i&&i<n; 0<=j&&j<m; 0<=k&&k<n; 0<=l&&l<m; j != l", "i*m+j;", "k*m+l;", true},
	{"threads of two dimensions, no bound", "0<=i&&i<n; 0<=j; 0<=k&&k<n; 0<=l&&l<m; j != l", "i*m+j;", "k*m+l;", false},
	{"triangle", "0<=i&&i<n; 0<=j&&j<n; i != j", "i*n; i : 1", "j*n; j : 1", true},
	{"triangle, too wide", "0<=i&&i<n; 0<=j&&j<n; i != j", "i*n; i+n : 1", "j*n; j : 1", false},
	{"row i before rows after it", "0<=i&&i<n", "i*n; i : 1", "(i+1)*n; n-i-1 : n, n : 1", true},
	{"row i and rows from it", "0<=i&&i<n", "i*n; i+1 : 1", "i*n; n-i : n, n : 1", false},
	{"lower row, upper column", "0<=i&&i<n", "i*n; i : 1", "i; i : n", true},
	{"lower row, whole column", "0<i&&i<n", "i*n; i : 1", "0; n : n", false},
	{"row and column after the diagonal", "0<=k&&k<n", "k*n+k+1; n-k-1 : 1", "(k+1)*n+k; n-k-1 : n", true},
	{"row and column with the diagonal", "0<=k&&k<n", "k*n+k; n-k : 1", "k*n+k; n-k : n", false},
	{"packed triangle", "0<=i&&i<j; h>0", "(i*i+i)*h; (i+1)*2*h : 1", "(j*j+j)*h; (j+1)*2*h : 1", true},

	{"packed triangle, one more", "0<=i&&i<j; h>0", "(i*i+i)*h; (i+1)*2*h+1 : 1", "(j*j+j)*h; (j+1)*2*h : 1", false},

	{"LU: diagonal and inner", "n == q*b; 0<=k&&k<i&&i<q; k<j&&j<q", "k*b*n+k*b; b : n, b : 1", "i*b*n+j*b; b : n, b : 1", true},
	{"LU: diagonal and inner, weak", "n == q*b; 0<=k&&k<=i&&i<q; k<=j&&j<q", "k*b*n+k*b; b : n, b : 1", "i*b*n+j*b; b : n, b : 1", false},
	{"LU: column and row of blocks", "n == q*b; 0<=k&&k<i&&i<q; k<j&&j<q", "i*b*n+k*b; b : n, b : 1", "k*b*n+j*b; b : n, b : 1", true},
	{"LU: row of blocks and inner", "n == q*b; 0<=k&&k<i&&i<q; k<j&&j<q; k<l&&l<q", "k*b*n+l*b; b : n, b : 1", "i*b*n+j*b; b : n, b : 1", true},
	{"LU: column of blocks and inner", "n == q*b; 0<=k&&k<i&&i<q; k<j&&j<q; k<l&&l<q", "l*b*n+k*b; b : n, b : 1", "i*b*n+j*b; b : n, b : 1", true},
	{"LU: column of blocks and inner, overlapping by one", "n == q*b; b>1; 0<=k&&k<i&&i<q; k<j&&j<q; k<l&&l<q", "l*b*n+k*b; b : n, b+1 : 1", "i*b*n+j*b; b : n, b : 1", false},
	{"LU: all inner and all of the row", "n == q*b; 0<=k&&k<q", "(k+1)*b*n+(k+1)*b; q-k-1 : b*n, b : n, q-k-1 : b, b : 1", "k*b*n; b : n, n : 1", true},
	{"LU: all inner and all of the column", "n == q*b; 0<=k&&k<q", "(k+1)*b*n+(k+1)*b; q-k-1 : b*n, b : n, q-k-1 : b, b : 1", "k*b*n+k*b; q-k : b*n, b : n, b : 1", true},
	{"LU: all inner and too much of the column", "n == q*b; 0<=k&&k<q", "(k+1)*b*n+(k+1)*b; q-k-1 : b*n, b : n, q-k-1 : b, b : 1", "k*b*n+k*b; q-k : b*n, b : n, b+1 : 1", false},
	{"LU: two inner blocks by column", "n == q*b; 0<=i&&i<q; 0<=j&&j<q; 0<=k&&k<q; 0<=l&&l<q; j != l", "i*b*n+j*b; b : n, b : 1", "k*b*n+l*b; b : n, b : 1", true},

	{"NW: first half, vertical", nw, "i*b+n+1; i+1 : n*b-b, b : n, b : 1", "i*b; i+1 : n*b-b, b+1 : n", true},
	{"NW: first half, horizontal", nw, "i*b+n+1; i+1 : n*b-b, b : n, b : 1", "i*b+1; i+1 : n*b-b, b : 1", true},
	{"NW: first half, vertical too far right", nw, "i*b+n+1; i+1 : n*b-b, b : n, b : 1", "i*b+1; i+1 : n*b-b, b+1 : n", false},
	{"NW: first half, horizontal too low", nw, "i*b+n+1; i+1 : n*b-b, b : n, b : 1", "i*b+n+1; i+1 : n*b-b, b : 1", false},
	{"NW: second half, vertical", nw, "((i+1)*b+1)*n + (q-1)*b+1; q-i-1 : n*b-b, b : n, b : 1", "(i+1)*b*n + (q-1)*b; q-i-1 : n*b-b, b+1 : n", true},
	{"NW: second half, horizontal", nw, "((i+1)*b+1)*n + (q-1)*b+1; q-i-1 : n*b-b, b : n, b : 1", "(i+1)*b*n + (q-1)*b+1; q-i-1 : n*b-b, b : 1", true},
	{"NW: second half, vertical too wide", nw, "((i+1)*b+1)*n + (q-1)*b+1; q-i-1 : n*b-b, b : n, b : 1", "(i+1)*b*n + (q-1)*b; q-i-1 : n*b-b, b+1 : n, 2 : 1", false},
	{"NW: threads of the anti-diagonal", "n == q*b+1; b>=2; 0<=i&&i<q; 0<=k&&k<=i; 0<=l&&l<=i; k != l", "i*b+n+1+k*(n*b-b); b : n, b : 1", "i*b+n+1+l*(n*b-b); b : n, b : 1", true},
	{"NW: threads of the anti-diagonal, with the border", "n == q*b+1; b>=2; 0<=i&&i<q; 0<=k&&k<=i; 0<=l&&l<=i; k != l", "i*b+k*(n*b-b); b+1 : n, b+1 : 1", "i*b+l*(n*b-b); b+1 : n, b+1 : 1", false},

	{"NW: elements, corner", nwElements, "lo*w+d-lo; count : n", "(y-1)*w+x-1;", true},
	{"NW: elements, north", nwElements, "lo*w+d-lo; count : n", "(y-1)*w+x;", true},
	{"NW: elements, west", nwElements, "lo*w+d-lo; count : n", "y*w+x-1;", true},
	{"NW: elements, south-west", nwElements, "lo*w+d-lo; count : n", "(y+1)*w+x-1;", false},
	{"NW: elements, one thread before", nwElements, "lo*w+d-lo-n; count+1 : n", "(y-1)*w+x-1;", false},
	{"NW: tiles, north", nwTiles, "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "((i-1)*q+j)*b*b + (b-1)*b + c;", true},
	{"NW: tiles, west beyond the edge", nwTiles, "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "(i*q+j-1)*b*b + r*b + b-1;", false},
	{"NW: tiles, west", nwTiles + "; j >= 1", "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "(i*q+j-1)*b*b + r*b + b-1;", true},
	{"NW: tiles, corner", nwTiles + "; j >= 1", "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "((i-1)*q+j-1)*b*b + (b-1)*b + b-1;", true},
	{"NW: tiles, corner beyond the edge", nwTiles, "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "((i-1)*q+j-1)*b*b + (b-1)*b + b-1;", false},
	{"NW: tiles, north-west in the north", nwTiles + "; c >= 1", "w*b*b; w+1 : (q-1)*b*b, b : b, b : 1", "((i-1)*q+j)*b*b + (b-1)*b + c-1;", true},
	{"NW: lower tiles, north", nwLower, "((v+1)*q+q-1)*b*b; m : (q-1)*b*b, b : b, b : 1", "((y-1)*q+x)*b*b + (b-1)*b + c;", true},
	{"NW: lower tiles, west", nwLower, "((v+1)*q+q-1)*b*b; m : (q-1)*b*b, b : b, b : 1", "(y*q+x-1)*b*b + r*b + b-1;", true},
	{"NW: lower tiles, corner", nwLower, "((v+1)*q+q-1)*b*b; m : (q-1)*b*b, b : b, b : 1", "((y-1)*q+x-1)*b*b + (b-1)*b + b-1;", true},
	{"NW: lower tiles, south-west", nwLower, "((v+1)*q+q-1)*b*b; m : (q-1)*b*b, b : b, b : 1", "((y+1)*q+x-1)*b*b + (b-1)*b + b-1;", false},

	{"flat and rows", "0<=k; 0<=n", "0; k*n : 1", "k*n; m : n, n : 1", true},
	{"flat and columns", "0<=k&&k<n", "0; m : n, k : 1", "k; m : n", true},
	{"transposed in place", "0<=i&&i<n; 0<=j&&j<n; i<j", "i*n+j;", "j*n+i;", true},
	{"transposed in place, diagonal", "0<=i&&i<n; 0<=j&&j<n; i<=j", "i*n+j;", "j*n+i;", false},
	{"planes", "0<=i&&i<k; 0<=j&&j<k; i != j", "i*m; n : k*m, m : 1", "j*m; n : k*m, m : 1", true},
	{"planes, next", "0<=i&&i<k; 0<=j&&j<k; i != j", "i*m; n : k*m, m+1 : 1", "j*m; n : k*m, m : 1", false},
	{"the lesser of two", "0<=n", "0; min(n,k) : 1", "n; m : 1", true},
	{"the greater of two", "0<=n", "0; max(n,k) : 1", "n; m : 1", false},
	{"half, rounded", "0<=n", "0; n/2 : 1", "n/2; n - n/2 : 1", true},
	{"half, rounded, one more", "0<=n", "0; n/2+1 : 1", "n/2; n - n/2 : 1", false},
	{"chunks of a thread", "0<=i&&i<j; c == (n+t-1)/t; t>0; n>=0", "i*c; min(c,n-i*c) : 1", "j*c; min(c,n-j*c) : 1", true},
	{"an element read, no order", "p[i] < p[i+1]", "p[i]; p[i+1]-p[i] : 1", "p[j]; 8 : 1", false},
	{"a stride of either sign", "0 < d; s != 0", "0; 2 : 2*s", "s; 2 : 2*s", true},
}

func TestDisjoint(t *testing.T) {
	for _, p := range pairs {
		f, a, b := facts(t, p.facts), fun(t, p.a), fun(t, p.b)
		if got := Disjoint(f, a, b, 4, 4); got != p.want {
			t.Errorf("%s: disjoint = %v, want %v", p.name, got, p.want)
		}
		if got := Disjoint(f, b, a, 4, 4); got != p.want {
			t.Errorf("%s, the other way round: disjoint = %v, want %v", p.name, got, p.want)
		}
	}
}
