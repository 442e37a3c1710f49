// Everything that two APIs and two workers must do together, on one fleet. The order of the modules is that of their tests.
import './shared-state.cases.ts'
import './races.cases.ts'
import './tools.cases.ts'
import './idempotency.cases.ts'
import './follower.cases.ts'
import './ends.cases.ts'
