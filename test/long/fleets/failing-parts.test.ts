// Parts that fail and come back under one API and one worker, on one fleet. The order of the modules is that of their tests.
import './outages.cases.ts'
import './faulty-node.cases.ts'
// The last: its clocks never go back.
import './worker-outages.cases.ts'
