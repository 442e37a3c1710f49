/** What a figure must hold: at least, or at most. Source: docs/performance.md; that no request waits in a race for more than ten seconds is tested too. */
export const TARGETS = {
  claimThroughputRatio: { least: 0.75 },
  claimLatencyBlocks: { most: 4 },
  raceMedianMs: { most: 450 },
  raceLongestMs: { most: 10_000 },
  claimHttpRatio: { least: 0.25 },
  jobsListRatio: { least: 0.58 },
  jobsListGrowth: { most: 1.15 },
  claimGrowth: { most: 1.2 },
  bystanderMs: { most: 20 },
  poolReadRatio: { most: 1.5 },
  vestingGrowth: { most: 1.2 },
  sseFanoutMs: { most: 250 },
  sseFanoutRatio: { most: 2 },
  mcpCallRatio: { most: 2.5 },
  mcpColdListMs: { most: 15 },
  residentMb: { most: 450 },
} as const
type Target = { least: number } | { most: number }

/** Targets that the figures of a run do not hold, in words; a figure that is missing or no number holds nothing. */
export const missedTargets = (figures: Partial<Record<keyof typeof TARGETS, number>>): string[] =>
  Object.entries(TARGETS as Record<string, Target>).flatMap(([name, target]) => {
    const figure = (figures as Record<string, number | undefined>)[name] ?? Number.NaN
    const holds = 'least' in target ? figure >= target.least : figure <= target.most
    return holds ? [] : [`${name} is ${figure}, not ${'least' in target ? `at least ${target.least}` : `at most ${target.most}`}`]
  })
