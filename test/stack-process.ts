// A stack in a process of its own, which outlives the test file that starts it: node stack-process.ts DIRECTORY SETTINGS, which are JSON.
import { keepPrivate } from '../local/files.ts'
import { ANY_PORTS } from '../local/ports.ts'
import { attach, onStopSignal, startStack } from '../local/stack.ts'

const [dir = '', settings = '{}'] = process.argv.slice(2)
keepPrivate()
// Another file of the run may have started it.
if (await attach(dir)) process.exit(0)
const { stopped, signal } = onStopSignal('Ending the stack')
const stack = await startStack({ dir, ports: ANY_PORTS, env: JSON.parse(settings) as Record<string, string>, signal, say: console.log })
const reason = await Promise.race([stopped, stack.died])
if (reason !== undefined) console.error(reason)
await stack.stop()
process.exit(reason === undefined ? 0 : 1)
