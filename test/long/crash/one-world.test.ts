// Processes are killed at named points of claims and of the savings processes, in one world. The order of the modules is that of their tests.
// The second sets a balance, which is in no block: a chain that is killed after that cannot be mined again.
import './points.cases.ts'
import './savings.cases.ts'
