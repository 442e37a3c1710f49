// Answers that documents show.

const amount = (raw: string, display: string) => ({ asset: 'USDC', raw, decimals: 6, display })

const LANE = {
  lane: 'liveness',
  dailyBudget: amount('50000000', '50'),
  postedToday: amount('2000000', '2'),
  backlog: 3,
  backlogLimit: 12,
  openJobs: 5,
  resumeAt: '2026-01-03T03:04:05.000Z',
  paused: null,
}

export const LANES_EXAMPLE = { lanes: [LANE] }

export const PAUSED_LANE_EXAMPLE = {
  ...LANE,
  paused: { by: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', at: '2026-01-02T03:04:05.000Z', reason: 'The source gives wrong dates.' },
}

export const TEMPLATE_EXAMPLE = {
  templateId: 'weekly-links',
  cron: '0 6 * * 1',
  state: 'active',
  reason: null,
  pausedAt: null,
  pausedBy: null,
  runs: 2,
  maxRuns: null,
  spent: amount('4000000', '4'),
  reserve: amount('100000000', '100'),
  nextRunAt: '2026-01-05T06:00:00.000Z',
}

export const PAUSED_TEMPLATE_EXAMPLE = {
  ...TEMPLATE_EXAMPLE,
  state: 'paused',
  reason: 'The page is being rewritten.',
  pausedAt: '2026-01-02T03:04:05.000Z',
  pausedBy: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  nextRunAt: null,
}

export const SWEEP_EXAMPLE = {
  total: 42,
  matching: 41,
  drifted: 1,
  markedUnclaimable: 1,
  guardTriggered: false,
  action: 'paused',
  startedAt: '2026-01-02T03:04:05.000Z',
  finishedAt: '2026-01-02T03:04:05.000Z',
  driftedJobs: ['starter-docs-001'],
  errors: [],
}
