// What a worker needs is away, then the worker itself, on one fleet. The order of the modules is that of their tests.
import './readiness.cases.ts'
// The last: its clocks never go back.
import './worker-outages.cases.ts'
