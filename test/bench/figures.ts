/** Middle of the values; of an even number of them, the upper one. */
export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN

/**
 * Takes each measure in turn, round after round, forwards and backwards: other work of the machine affects all of them alike, and the
 * first measure has no advantage.
 */
export const inTurns = async <Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(measures) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : [...names].reverse()) figures[name].push(await measures[name]())
  return figures
}

/** Middle of the quotients of two measures, round by round. */
export const ratio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] ?? Number.NaN)))

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs `unit` with so many in flight until the time is over. Returns how many a second were done. */
export const throughput = async (inFlight: number, milliseconds: number, unit: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  let done = 0
  const repeat = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      await unit()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, repeat))
  return done / ((performance.now() - began) / 1000)
}

export interface Paired {
  /** Median of the rounds' quotients, ours by theirs. */
  ratio: number
  ours: number
  theirs: number
}

/** Measures two things in turn, so that a machine that is slower for a while is slower for both. */
export const paired = async (rounds: number, ours: () => Promise<number>, theirs: () => Promise<number>): Promise<Paired> => {
  const seen = await inTurns(rounds, { ours, theirs })
  return { ratio: ratio(seen.ours, seen.theirs), ours: median(seen.ours), theirs: median(seen.theirs) }
}
