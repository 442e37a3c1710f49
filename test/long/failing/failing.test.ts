// What a worker needs is away, the parts below the services fail and come back, then the worker itself fails, on one fleet.
// The order of the modules is that of their tests; the first lists every claimable job.
import './readiness.cases.ts'
import './outages.cases.ts'
import './pages.cases.ts'
import './faulty-node.cases.ts'
// The last: its clocks never go back.
import './worker-outages.cases.ts'
