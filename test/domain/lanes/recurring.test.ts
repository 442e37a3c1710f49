import { describe, expect, test } from '@jest/globals'
import { specHashOf } from '../../../domain/catalogue/spec-hash.ts'
import { deriveJob, planRun, type Template, type TemplateState, usedUp } from '../../../domain/lanes/recurring.ts'
import { builtJob, jobBody } from '../builders/job.ts'

const at = (instant: string): number => Date.parse(instant)
const NOW = at('2026-03-01T12:30:00.000Z')
const HOURLY: Template = { schedule: { cron: '0 * * * *', timezone: 'UTC' }, rewardAmountRaw: '2000000' }
const FRESH: TemplateState = { runs: 0, spentRaw: 0n, decidedUntil: at('2026-03-01T11:59:00Z') }

/** Changes of a template that is due every hour, of its state, the time, and what follows. */
const PLANS: [string, Partial<Template>, Partial<TemplateState>, string, string | null][] = [
  ['lists the job of a due time', {}, {}, 'due', '2026-03-01T12:00:00.000Z'],
  ['makes up the last of several due times', {}, { decidedUntil: at('2026-02-01T00:00:00Z') }, 'due', '2026-03-01T12:00:00.000Z'],
  ['waits when the due time is decided', {}, { decidedUntil: at('2026-03-01T12:00:00Z') }, 'waiting', '2026-03-01T13:00:00.000Z'],
  ['waits for its start', { startAt: '2026-03-02T10:30:00.000Z' }, {}, 'waiting', '2026-03-02T11:00:00.000Z'],
  ['is due at its start', { startAt: '2026-03-01T12:00:00.000Z' }, {}, 'due', '2026-03-01T12:00:00.000Z'],
  ['makes up no time before its start', { startAt: '2026-03-01T12:10:00.000Z' }, {}, 'waiting', '2026-03-01T13:00:00.000Z'],
  ['is due at its end', { endAt: '2026-03-01T12:00:00.000Z' }, {}, 'due', '2026-03-01T12:00:00.000Z'],
  ['ends after its end', { endAt: '2026-03-01T12:59:59.999Z' }, { decidedUntil: at('2026-03-01T12:00:00Z') }, 'ended', null],
  ['ends when no due time follows', { schedule: { cron: '0 0 30 2 *', timezone: 'UTC' } }, {}, 'ended', null],
]

describe('a recurring template', () => {
  test.each(PLANS)('%s', (_title, template, state, expected, nominalAt) => {
    const plan = planRun({ ...HOURLY, ...template }, { ...FRESH, ...state }, NOW)
    expect(plan).toEqual({ state: expected, nominalAt: nominalAt === null ? null : at(nominalAt) })
  })

  test.each([
    [{}, { runs: 1_000, spentRaw: 10n ** 12n }, null],
    [{ maxRuns: 3 }, { runs: 2 }, null],
    [{ maxRuns: 3 }, { runs: 3 }, 'runs'],
    [{ reserveAmountRaw: '6000000' }, { spentRaw: 4_000_000n }, null],
    [{ reserveAmountRaw: '6000000' }, { spentRaw: 4_000_001n }, 'reserve'],
  ] as const)('with %j is used up after %j: %s', (template, state, reason) => {
    expect(usedUp({ ...HOURLY, ...template }, { ...FRESH, ...state })).toBe(reason)
  })

  test('derives a job with its terms, without those of the recurrence, under an id of its own', () => {
    const recurrence = {
      recurring: true,
      reserveAmount: 10,
      maxRuns: 4,
      startAt: '2026-03-01T00:00:00Z',
      endAt: '2026-04-01T00:00:00Z',
    } as const
    const template = builtJob(jobBody({ id: 'weekly', ...recurrence, schedule: { cron: '0 6 * * 1' } }))
    const job = deriveJob(template.definition, at('2026-03-02T06:00:00.000Z'))
    const id = 'weekly-run-2026-03-02T06-00-00-000Z'
    expect(job.definition).toEqual({ ...builtJob(jobBody()).definition, id })
    expect([job.specHash, job.rewardRaw]).toEqual([specHashOf(job.definition), 2_000_000n])
    expect(new Set([job.chainJobId, template.chainJobId, deriveJob(template.definition, NOW).chainJobId]).size).toBe(3)
  })
})
