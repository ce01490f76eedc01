package benchmarks

import "math"

// The derivatives of Rodinia's heart muscle cell, equation by equation, each into its element of an
// array; the program groups them by compartments. The arithmetic is that of f32: after steps of a
// millisecond it matters where numbers overflow.

const (
	faraday  = 96485.0 // C/mol
	perVolt  = faraday / 8314 / 310
	capacity = 1.381e-10 // F

	volCell = 3.1416 * 10.25 * 10.25 * 100 * 1e-15 // l
	volMyo  = 0.65 * volCell
	volSR   = 0.035 * volCell
	volSL   = 0.02 * volCell
	volJunc = 0.0539 * 0.01 * volCell
)

func exp32(x float32) float32    { return float32(math.Exp(float64(x))) }
func log32(x float32) float32    { return float32(math.Log(float64(x))) }
func pow32(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }

func sigmoid(x float32) float32 { return 1 / (1 + exp32(-x)) }

// ecc sets d[0:46] to the derivative of y[0:46].
func ecc(t, period float32, y, d []float32) {
	v := y[38]
	nernst := func(z, out, in float32) float32 { return log32(out/in) / perVolt / z }

	// the fast sodium current
	am := 0.32 * (v + 47.13) / (1 - exp32(-0.1*(v+47.13)))
	bm := 0.08 * exp32(-v/11)
	var ah, aj, bh, bj float32
	if v >= -40 {
		bh = 1 / 0.13 / (1 + exp32(-(v+10.66)/11.1))
		bj = 0.3 * exp32(-2.535e-7*v) / (1 + exp32(-0.1*(v+32)))
	} else {
		ah = 0.135 * exp32(-(80+v)/6.8)
		bh = 3.56*exp32(0.079*v) + 3.1e5*exp32(0.35*v)
		aj = (-127140*exp32(0.2444*v) - 3.474e-5*exp32(-0.04391*v)) * (v + 37.78) / (1 + exp32(0.311*(v+79.23)))
		bj = 0.1212 * exp32(-0.01052*v) / (1 + exp32(-0.1378*(v+40.14)))
	}
	for g, rate := range [][2]float32{{am, bm}, {ah, bh}, {aj, bj}} {
		d[g] = rate[0]*(1-y[g]) - rate[1]*y[g]
	}

	// the other gates: what they tend to, and how long that takes
	relax := func(g int, target, time float32) { d[g] = (target - y[g]) / time }
	dss := sigmoid((v + 14.5) / 6)
	relax(3, dss, dss*(1-exp32(-(v+14.5)/6))/(0.035*(v+14.5)))
	relax(4, sigmoid(-(v+35.06)/3.6)+0.6*sigmoid((v-50)/20), 1/(0.0197*exp32(-pow32(0.0337*(v+14.5), 2))+0.02))
	for c := range 2 {
		d[5+c] = 1.7*y[35+c]*(1-y[5+c]) - 11.9e-3*y[5+c]
	}
	relax(7, sigmoid((v+3)/15), 9*sigmoid(-(v+3)/15)+0.5)
	relax(8, sigmoid(-(v+33.5)/10), 3e3*sigmoid(-(v+60)/10)+30)
	relax(39, sigmoid(-(v+33.5)/10), 2800*sigmoid(-(v+60)/10)+220)
	relax(9, sigmoid((v+3)/15), 3.5*exp32(-v*v/900)+1.5)
	relax(10, sigmoid(-(v+33.5)/10), 20*sigmoid(-(v+33.5)/10)+20)
	relax(11, sigmoid((v+50)/7.5), 1/(0.00138*(v+7)/(1-exp32(-0.123*(v+7)))+6.1e-4*(v+10)/(exp32(0.145*(v+10))-1)))
	relax(12, sigmoid((v-1.5)/16.7), 1/(7.19e-5*(v+30)/(1-exp32(-0.148*(v+30)))+1.31e-4*(v+30)/(exp32(0.0687*(v+30))-1)))

	// currents of the junction (0) and of the rest of the membrane (1)
	ek, ecl := nernst(1, 5.4, y[34]), nernst(1, 15, 150)
	eks := nernst(1, 5.4+0.01833*140, y[34]+0.01833*y[33])
	constantField := func(p, z, gamma, in, out float32) float32 {
		e := exp32(z * v * perVolt)
		return p * z * z * v * faraday * perVolt * gamma * (in*e - out) / (e - 1)
	}
	var na, ca, pumpK, ks, cl, caL, ncx, pca, cab [2]float32
	openK := float32(0)
	for c := range 2 {
		part, channels := []float32{0.11, 0.89}[c], []float32{0.9, 0.1}[c]
		nai, cai := y[31+c], y[35+c]
		slow := y[11+c] // in the junction Rodinia takes the gate of the rapid current
		fromNa := v - nernst(1, 140, nai)
		sigma := (exp32(140.0/67.3) - 1) / 7
		fnak := 1 / (1 + 0.1245*exp32(-0.1*v*perVolt) + 0.0365*sigma*exp32(-v*perVolt))
		pumpK[c] = part * 1.90719 * fnak * 5.4 / (1 + pow32(11/nai, 4)) / 6.9
		gks := 0.07 * (0.057 + 0.19*sigmoid((7.2-(3-log32(cai)/log32(10)))/0.6))
		ks[c] = part * gks * slow * slow * (v - eks)
		cl[c] = part * 0.109625 / (1 + 0.1/cai) * (v - ecl)
		open := channels * y[3] * y[4] * (1 - y[5+c]) * 0.45
		openK += open
		caL[c] = open * constantField(5.4e-4, 2, 0.341, cai, 1.8)
		caNa := open * constantField(1.5e-8, 1, 0.75, nai, 140)
		ka := 1 / (1 + pow32(0.256e-3/cai, 3))
		s1 := exp32(0.35*v*perVolt) * pow32(nai, 3) * 1.8
		s2 := exp32(-0.65*v*perVolt) * pow32(140, 3) * cai
		s3 := 3.59e-3*pow32(140, 3)*(1+pow32(nai/12.29, 3)) + pow32(87.5, 3)*cai +
			pow32(12.29, 3)*1.8*(1+cai/3.59e-3) + 1.3*pow32(nai, 3) + pow32(nai, 3)*1.8 + pow32(140, 3)*cai
		ncx[c] = part * 9 * ka * (s1 - s2) / s3 / (1 + 0.27*exp32(-0.65*v*perVolt))
		pca[c] = part * 0.0673 * pow32(cai, 1.6) / (pow32(0.5e-3, 1.6) + pow32(cai, 1.6))
		cab[c] = part * 2.513e-4 * (v - nernst(2, 1.8, cai))
		na[c] = part*16*pow32(y[0], 3)*y[1]*y[2]*fromNa + part*0.297e-3*fromNa + 3*ncx[c] + 3*pumpK[c] + caNa
		ca[c] = caL[c] + cab[c] + pca[c] - 2*ncx[c]
	}
	sum := func(x [2]float32) float32 { return x[0] + x[1] }

	// potassium and chloride
	kr := 0.03 * y[11] * sigmoid(-(v+33)/22.4) * (v - ek)
	kp := 0.001 * sigmoid(v/5.98-7.488) * (v - ek)
	to := (0.06*y[7]*(y[8]+0.5*y[39]) + 0.02*y[9]*y[10]) * (v - ek)
	a := 1.02 / (1 + exp32(0.2385*(v-ek-59.215)))
	b := (0.49124*exp32(0.08032*(v+5.476-ek)) + exp32(0.06175*(v-ek-594.31))) / (1 + exp32(-0.5143*(v-ek+4.753)))
	ki := 0.9 * a / (a + b) * (v - ek)
	caK := openK * constantField(2.7e-7, 1, 0.75, y[34], 5.4)
	k := to + kr + sum(ks) + ki - 2*sum(pumpK) + caK + kp
	stimulus := float32(0)
	if math.Mod(float64(t), float64(period)) <= 5 {
		stimulus = 9.5
	}
	d[38] = stimulus - (sum(na) + sum(cl) + 9e-3*(v-ecl) + sum(ca) + k)

	// the sarcoplasmic reticulum
	caj, casr := y[35], y[30]
	kCaSR := 15 - 14/(1+pow32(0.45/casr, 2.5))
	ko, kc := 10/kCaSR*caj*caj, 0.5*kCaSR*caj
	inactive := 1 - y[13] - y[14] - y[15]
	d[13] = 0.005*inactive - kc*y[13] - (ko*y[13] - 0.06*y[14])
	d[14] = ko*y[13] - 0.06*y[14] - (kc*y[14] - 0.005*y[15])
	d[15] = kc*y[14] - 0.005*y[15] - (0.06*y[15] - ko*inactive)
	release := 25 * y[14] * (casr - caj)
	leak := 5.348e-6 * (casr - caj)
	in, out := pow32(y[37]/0.246e-3, 1.787), pow32(casr/1.7, 1.787)
	serca := 2.86e-4 * (in - out) / (1 + in + out)

	// buffers: rate on, ligand, sites, rate off
	buffer := func(at int, on, ligand, free, off float32) { d[at] = on*ligand*free - off*y[at] }
	buffer(16, 0.1e-3, y[31], 7.561-y[16], 1e-3)
	buffer(17, 0.1e-3, y[32], 1.65-y[17], 1e-3)
	buffer(18, 32.7, y[37], 0.07-y[18], 19.6e-3)
	buffer(19, 2.37, y[37], 0.14-y[19]-y[20], 0.032e-3)
	buffer(20, 3e-3, 1, 0.14-y[19]-y[20], 3.33e-3)
	buffer(22, 13.8, y[37], 0.14-y[22]-y[23], 0.46e-3)
	buffer(23, 0.0157, 1, 0.14-y[22]-y[23], 0.057e-3)
	buffer(24, 100, y[37], 0.0171-y[24], 0.06)
	buffer(25, 100, y[35], 4.62e-4*volMyo/volJunc-y[25], 1.3)
	buffer(26, 100, y[36], 37.38e-3*volMyo/volSL-y[26], 1.3)
	buffer(27, 100, y[35], 1.65e-4*volMyo/volJunc-y[27], 0.03)
	buffer(28, 100, y[36], 13.35e-3*volMyo/volSL-y[28], 0.03)
	buffer(29, 100, casr, 2.7-y[29], 65)

	// concentrations
	const naJuncSL, naSLMyo = 1 / (1.6382e12 / 3 * 100), 1 / (1.8308e10 / 3 * 100)
	const caJuncSL, caSLMyo = 1 / 1.2134e12, 1 / 2.6851e11
	d[30] = serca*volMyo/volSR - leak*volMyo/volSR - release - d[29]
	d[31] = -na[0]*capacity/volJunc/faraday + naJuncSL/volJunc*(y[32]-y[31]) - d[16]
	d[32] = -na[1]*capacity/volSL/faraday + naJuncSL/volSL*(y[31]-y[32]) + naSLMyo/volSL*(y[33]-y[32]) - d[17]
	d[33] = naSLMyo / volMyo * (y[32] - y[33])
	d[35] = -ca[0]*capacity/volJunc/2/faraday + caJuncSL/volJunc*(y[36]-y[35]) - d[25] - d[27] + release*volSR/volJunc + leak*volMyo/volJunc
	d[36] = -ca[1]*capacity/volSL/2/faraday + caJuncSL/volSL*(y[35]-y[36]) + caSLMyo/volSL*(y[37]-y[36]) - d[26] - d[28]
	d[37] = -serca - d[18] - d[19] - d[20] - d[22] - d[23] - d[24] + caSLMyo/volMyo*(y[36]-y[37])

	// calcium that has passed the membrane, in each of four ways
	const perMyo = capacity / volMyo / 2 / faraday * 1e3
	d[42], d[43], d[44], d[45] = -sum(caL)*perMyo, -sum(pca)*perMyo, 2*sum(ncx)*perMyo, -sum(cab)*perMyo
	d[21], d[34], d[40], d[41] = 0, 0, 0, 0
}

// cam sets d[0:15] to the derivative of a compartment's forms y[0:15], with ca uM of calcium. p holds
// its totals from calmodulin on. It returns the calcium that becomes free, in uM/ms.
func cam(ca float32, p, y, d []float32) float32 {
	btot, ckii, can, pp1 := p[1], p[2], p[3], p[4]
	const kd02 = 0.0025 * (1 + 135/0.94 - 1/0.012) * (1 + 135/8.1 + 1/0.022)
	const kd24 = 0.128 * (1 + 135/0.64 + 1/0.0014) * (1 + 135/13.0 - 1/0.153)
	k02, k24 := 10/kd02*ca*ca, 500/kd24*ca*ca
	b := btot - y[3] - y[4] - y[5]
	n := can - y[11] - y[12] - y[13] - y[14]
	ready := 1 - y[6] - y[7] - y[8] - y[9] - y[10]
	const kib = 2.2 / 33.5e-3
	active := y[7] + y[8] + y[9] + y[10]
	kbt := 0.055*active + 0.0074*active*active + 0.015*pow32(active, 3)
	phosphatase := func(x float32) float32 { return 1.72 * pp1 * x / (11.5 + ckii*x) }
	calcium := float32(0) // taken up, in pairs of ions
	clear(d[:15])
	// flow moves x from one form to another; -1 stands for a pool that is no part of the state.
	flow := func(x float32, from, to int) {
		if from >= 0 {
			d[from] -= x
		}
		if to >= 0 {
			d[to] += x
		}
	}
	takes := func(x float32, from, to int) { calcium += x; flow(x, from, to) }
	takes(k02*y[0]-10*y[1], 0, 1)
	takes(k24*y[1]-500*y[2], 1, 2)
	takes(k02*y[3]-0.1*y[4], 3, 4)
	takes(k24*y[4]-500*y[5], 4, 5)
	takes(2*ca*ca*n-y[11], -1, 11)
	takes(k02*y[12]-10.0/165*y[13], 12, 13)
	takes(k24*y[13]-10.0/2508*y[14], 13, 14)
	for i, off := range []float32{0.0014, 1.4e-5, 1.4e-5} {
		flow(0.007*y[i]*b-off*y[3+i], i, 3+i)
	}
	for i, off := range []float32{165 * 2508 * 0.0013, 2508 * 0.0013, 0.0013} {
		x := 46*y[i]*y[11] - off*y[12+i]
		flow(x, i, 12+i)
		d[11] -= x
	}
	// kinase: shares of ckii, so ckii times as much calmodulin
	kinase := func(x float32, form, from, to int) {
		if form >= 0 {
			d[form] -= ckii * x
		}
		flow(x, from, to)
	}
	b2b := k24*y[6] - 500*33.5e-3/5*y[7]
	tt2 := 500*33.5e-6/5*y[8] - k24*y[9]
	kinase(kib*y[1]*ready-5*kib*y[6], 1, -1, 6)
	kinase(kib*y[2]*ready-2.2*y[7], 2, -1, 7)
	kinase(-(0.0022*y[8] - kib*y[2]*y[10]), 2, 10, 8)
	kinase(-(5*kib*y[9] - kib*y[1]*y[10]), 1, 10, 9)
	kinase(b2b, -1, 6, 7)
	kinase(kbt*y[7]-phosphatase(y[8]), -1, 7, 8)
	kinase(tt2, -1, 8, 9)
	kinase(phosphatase(y[9]), -1, 9, 6)
	kinase(phosphatase(y[10]), -1, 10, -1)
	for i := range 15 {
		d[i] *= 1e-3
	}
	return 1e-3 * (2*ckii*(tt2-b2b) - 2*calcium)
}
