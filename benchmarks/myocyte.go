package benchmarks

import "github.com/memc-lang/memc/internal/base/value"

// The data of Rodinia's myocyte.

// atRest is the state of a cell at rest: 46 numbers of the cell, and 15 of calmodulin in each of three
// compartments.
var atRest = []float32{
	0.0013705539, 0.98714218, 0.99182408, 6.9968275e-6, 1.0006761, 0.025800244, 0.015606144, 0.0040110808,
	0.31904893, 0.0040110456, 0.99463216, 0.0084705483, 0.0060394891, 0.88875021, 8.2057663e-7, 1.0271527e-7,
	3.554765, 0.77561711, 0.0090782945, 0.11836625, 0.010156121, 0.00025328101, 0.0020087204, 0.1374736,
	0.002209702, 0.0077737983, 0.010124416, 0.075692786, 0.11608535, 1.250904, 0.56109998, 8.8597621,
	8.8611627, 8.8615763, 135, 0.00018394727, 0.00010924132, 8.8935135e-5, -85.719165, 0.41071583,
	0, 0, 17483.04, -14677.756, -168697.84, 165904.86,

	386.74011, 6.0137654, 0.0021665981, 0, 0, 0, 0.52910875, 0.03178349,
	7.1017447e-6, 2.8316127e-9, 2.344466e-9, 0.00013282361, 0.0043772286, 0.012450156, 3.600507,

	0.043833441, 5.4727484e-5, 8.6054033e-9, 2.3715335, 13.10535, 0.00027224584, 1.1056849e-5, 9.5203944e-6,
	1.3418139e-7, 1.4654302e-12, 8.8079626e-9, 0.00056863655, 2.1354933e-6, 5.6653572e-6, 0.0013743596,

	0.043580316, 3.8789477e-5, 5.5612103e-10, 4.1446, 1.1342721, 1.5613769e-5, 7.7666417e-6, 4.5935002e-8,
	3.0629005e-13, 3.2828882e-18, 2.0356103e-14, 0.00012025051, 4.4862898e-7, 1.7078402e-7, 8.1327361e-7,
}

// totals holds the period of the stimulus, and how much there is of calmodulin, its buffer, CaMKII,
// calcineurin and PP1 in each compartment.
var totals = []float32{
	1000,
	418, 0, 120, 3.617508, 96.5,
	5.65, 24.2, 0.099516, 0.003, 0.57,
	5.65, 24.2, 0.099516, 0.003, 0.57,
}

// myocyteArgs returns cells at rest, to follow for span milliseconds. Each starts a little above the
// one before it, until that repeats.
func myocyteArgs(repeat int32, eps float32, cells int64, span int32) func() []value.Value {
	return func() []value.Value {
		return []value.Value{i32(repeat), f32(eps), i64(cells), i32(span), floats(atRest, 91), floats(totals, 16)}
	}
}
