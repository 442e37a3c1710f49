import { parseArgs } from 'node:util'
import { getRunning } from '../info.ts'
import { runProgram } from '../program.ts'
import { STATE_DIRECTORY } from '../stack.ts'
import { parseTimeExpression } from './expression.ts'
import { type MoveReport, moveTime, readTimes, type Times } from './move.ts'

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const printTimes = ({ wallClock, service, isFrozen, newestBlock }: Times): void =>
  console.log(
    `  wall clock    ${iso(wallClock)}\n  service       ${iso(service)}${isFrozen ? ' (held until time is moved)' : ''}\n  newest block  ${iso(newestBlock)}`,
  )

const printMoves = ({ moved, behind, diverged }: MoveReport): void => {
  console.log(`  workflows     ${moved.length} moved`)
  if (behind.length > 0) console.log(`  not there yet (work in flight, or no worker): ${behind.join(', ')}`)
  if (diverged.length > 0)
    console.log(
      `  diverged      ${diverged.join(', ')}\n                Their claims ended before their submissions were on chain. Close them, or health stays degraded:\n                docs/operations.md, "A session differs from the chain"`,
    )
}

const USAGE = `usage: npm run time -- [TIME] [--dir DIR]

Shows wall clock, service clock and newest block; with a TIME moves chain, service and workflows there.
TIME is +90m, +7d, +1d12h, or an instant like 2030-01-31T12:00:00Z.`

/** Whether the argument moves time back, such as `-1h`: an expression that is refused, not an option. */
const isBack = (arg: string): boolean => /^-\d/.test(arg)

const dispatch = async (args: string[]): Promise<void> => {
  const options = { dir: { type: 'string' }, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: args.filter((arg) => !isBack(arg)), options, allowPositionals: true })
  if (values.help) return console.log(USAGE)
  const [expression, second] = [...args.filter(isBack), ...positionals]
  if (second !== undefined) throw new Error(`one time at once, and not ${expression} and ${second}: write a sum like +1d12h`)
  const target = expression === undefined ? undefined : parseTimeExpression(expression)
  const info = getRunning(values.dir ?? STATE_DIRECTORY)
  if (target === undefined) return printTimes(await readTimes(info))
  const report = await moveTime(info, target)
  printTimes(report)
  printMoves(report)
}

// `npm run time` prints the time; `npm run time -- +7d`, or an instant, moves it.
process.exitCode = await runProgram(() => dispatch(process.argv.slice(2)))
