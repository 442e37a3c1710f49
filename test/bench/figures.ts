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
