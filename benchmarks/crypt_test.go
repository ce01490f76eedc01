package benchmarks

import (
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["crypt"] = func(args []value.Value) []value.Value {
		n := args[2].Shape[0]
		text := toInts(args[2])
		secret := idea(toInts(args[0]), text)
		return []value.Value{fromInts(ir.U8, secret, n), fromInts(ir.U8, idea(toInts(args[1]), secret), n)}
	}
}

// idea runs the cipher over bytes, with a schedule of 52 subkeys.
func idea(keys, text []int64) []int64 {
	times := func(x, y int64) int64 { // in the group of units modulo 65537
		p := new(big.Int).Mul(big.NewInt((x+65535)%65536+1), big.NewInt((y+65535)%65536+1))
		return p.Mod(p, big.NewInt(65537)).Int64() % 65536
	}
	plus := func(x, y int64) int64 { return (x + y) % 65536 }
	var out []int64
	for ; len(text) > 0; text = text[8:] {
		var x [4]int64
		for i := range x {
			x[i] = text[2*i] + 256*text[2*i+1]
		}
		for round := range 9 {
			k := keys[6*round:]
			if round == 8 {
				x[1], x[2] = x[2], x[1]
			}
			x = [4]int64{times(x[0], k[0]), plus(x[1], k[1]), plus(x[2], k[2]), times(x[3], k[3])}
			if round == 8 {
				break
			}
			p := times(x[0]^x[2], k[4])
			q := times(plus(p, x[1]^x[3]), k[5])
			p = plus(p, q)
			x = [4]int64{x[0] ^ q, x[2] ^ q, x[1] ^ p, x[3] ^ p}
		}
		for _, w := range x {
			out = append(out, w%256, w/256)
		}
	}
	return out
}

// The schedules are those in futhark-benchmarks, and the second undoes the first.
func TestSchedules(t *testing.T) {
	args := cryptArgs(64)()
	got := oracles["crypt"](args)
	if d := value.Diff(args[2], got[1], value.Exact); d != "" {
		t.Errorf("decrypted: %s", d)
	}
	if value.Diff(args[2], got[0], value.Exact) == "" {
		t.Error("encrypted is the same as plain")
	}

	user, all := words(t, "crypt-userkey0.txt"), words(t, "crypt-keys0.txt")
	if user == nil || all == nil {
		return
	}
	enc := schedule([8]uint16(user))
	dec := inverseSchedule(enc)
	for i, k := range append(enc[:], dec[:]...) {
		if k != all[i] {
			t.Errorf("subkey %d is %#x, expected %#x", i, k, all[i])
		}
	}
}

// words reads the numbers of 16 bits in a file of futhark-benchmarks, or gives nil.
func words(t *testing.T, name string) []uint16 {
	text, err := os.ReadFile(filepath.Join(dataRoot(), name))
	if os.IsNotExist(err) {
		t.Logf("%s is missing; MEMC_DATA names the folder with data of futhark-benchmarks", name)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var ws []uint16
	for _, m := range regexp.MustCompile(`0x([0-9a-f]{4})i16`).FindAllStringSubmatch(string(text), -1) {
		w := must.Get(strconv.ParseUint(m[1], 16, 16))(t)
		ws = append(ws, uint16(w))
	}
	return ws
}
