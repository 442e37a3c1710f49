// The public numbers of events: given by one relay, in any process, while all of them are killed.
import { sql } from 'kysely'
import type { CrashWorld } from '../crash-world.ts'

const NUMBERED_MS = 10_000
const LOOK_MS = 25

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Waits until every event has its number, or should have had it for long. */
export const untilNumbered = async ({ database: { rows } }: CrashWorld): Promise<void> => {
  const waits = () => rows.selectFrom('event').select('id').where('seq', 'is', null).limit(1).executeTakeFirst()
  for (const end = Date.now() + NUMBERED_MS; (await waits()) !== undefined && Date.now() < end; ) await sleep(LOOK_MS)
}

/** What is wrong with the numbers of all events together: one missing, left out or not from 1 on. */
export const numberFaults = async (world: CrashWorld): Promise<string[]> => {
  await untilNumbered(world)
  const { rows } = await sql<{ events: number; numbers: number; lowest: number; highest: number }>`
    select count(*)::integer as events, count(distinct seq)::integer as numbers, coalesce(min(seq), 1)::integer as lowest,
      coalesce(max(seq), 0)::integer as highest from event`.execute(world.database.rows)
  const [found] = rows
  if (found === undefined) throw new Error('the events were not counted')
  const { events, numbers, lowest, highest } = found
  return [
    ...(numbers === events ? [] : [`events: ${events - numbers} of ${events} have no number`]),
    ...(lowest === 1 && highest === numbers ? [] : [`events: ${numbers} numbers from ${lowest} to ${highest}: there is a gap`]),
  ]
}
