import { parseArgs } from 'node:util'
import { type CrashWorld, openCrashWorld } from './crash-world.ts'
import { POINTS } from './points.ts'
import { expectedOf, playRound } from './round.ts'
import type { Outcome } from './run.ts'

const USAGE = `usage: npm run crash -- [options]

Takes claims to their badges while processes are killed at named points, and compares each with a run that nothing interrupted.

  --times N      goes through the points N times (default: 1)
  --seed S       kinds, doors and pauses follow from it (default: the time)
  --point NAME   only points whose name begins so; may be given several times
  --list         names the points and ends`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now()) },
    point: { type: 'string', multiple: true, default: [''] },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (!/^[1-9]\d*$/.test(values.times)) {
  console.error(`--times takes a whole number from 1, not ${values.times}\n\n${USAGE}`)
  process.exit(2)
}

const say = (line: string): void => console.log(line)

const lineOf = ({ point, kind, killed, recoveryMs, faults }: Outcome): string => {
  const seconds = `${(recoveryMs / 1000).toFixed(1)} s`.padStart(7)
  const end = faults.length === 0 ? 'ok' : `DIFFERENT\n    ${faults.join('\n    ')}`
  return `${point.name.padEnd(28)} ${kind}  ${killed.join(', ').padEnd(19)} ${seconds}  ${end}`
}

interface Sum {
  runs: number
  different: number
  /** Rounds after which the platform's money or the nonces were not what the runs make together. */
  wrongSums: number
}

/** Plays the rounds; answers how many runs there were and how many differed. */
const play = async (world: CrashWorld, ended: () => boolean): Promise<Sum> => {
  const points = POINTS.filter(({ name }) => values.point.some((wanted) => name.startsWith(wanted)))
  if (points.length === 0) throw new Error(`no point is named ${values.point.join(' or ')}: see --list`)
  const expected = await expectedOf(world)
  let [runs, different, wrongSums] = [0, 0, 0]
  const heard = (outcome: Outcome): void => {
    if (ended()) return
    runs += 1
    if (outcome.faults.length > 0) different += 1
    say(lineOf(outcome))
  }
  for (let number = 1; number <= Number(values.times) && !ended(); number += 1) {
    const faults = await playRound(world, { seed: values.seed, number, points, expected, heard })
    if (faults.length > 0 && !ended()) {
      wrongSums += 1
      say(`round ${number} as a whole: DIFFERENT\n    ${faults.join('\n    ')}`)
    }
  }
  return { runs, different, wrongSums }
}

/** Ends everything once, however often it is asked to. */
const untilAsked = (): { asked: Promise<'asked'>; isAsked: () => boolean } => {
  let isAsked = false
  const asked = new Promise<'asked'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => {
        isAsked = true
        resolve('asked')
      })
  })
  return { asked, isAsked: () => isAsked }
}

const main = async (): Promise<number> => {
  if (values.help) say(USAGE)
  if (values.list) for (const { name, when } of POINTS) say(`${name.padEnd(28)} ${when}`)
  if (values.help || values.list) return 0
  const { asked, isAsked } = untilAsked()
  const began = Date.now()
  say(`seed ${values.seed}`)
  const world = await openCrashWorld()
  try {
    const result = await Promise.race([play(world, isAsked), asked])
    if (result === 'asked') return 1
    const { runs, different, wrongSums } = result
    const seconds = Math.round((Date.now() - began) / 1000)
    say(`${runs} runs: ${runs - different} ok, ${different} different, ${wrongSums} rounds with a wrong sum, ${seconds} s`)
    return different + wrongSums === 0 ? 0 : 1
  } finally {
    await world.close()
  }
}

process.exit(await main())
