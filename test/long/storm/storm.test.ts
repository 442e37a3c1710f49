import { expect, test } from '@jest/globals'
import { playStorm } from '../../storm/storm.ts'

const SEED = process.env.STORM_SEED ?? 'tests'
const STORM_MS = 600_000

test(
  `callers over HTTP, tools, client, stream and webhook get everything once while processes with work in hand are killed (STORM_SEED=${SEED})`,
  async () => {
    const { blows, flows, cut, faults } = await playStorm(SEED)
    const lines = blows.map(({ act, victim, work }) => `${victim} was ${act} during ${work}`)
    process.stdout.write(`storm ${SEED}: ${flows.length} flows, ${cut} calls cut\n  ${lines.join('\n  ')}\n`)
    expect(faults).toEqual([])
    expect(new Set(flows.map(({ channel }) => channel))).toEqual(new Set(['http', 'tools', 'client']))
    expect(new Set(blows.map(({ act, victim }) => `${act} ${victim.replace(/-\d$/, '')}`))).toEqual(
      new Set(['killed api', 'killed worker', 'killed temporal', 'ended api', 'ended worker']),
    )
  },
  STORM_MS,
)
