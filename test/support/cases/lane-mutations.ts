// How repeated requests about lanes, templates and sweeps behave.

import { newJob } from '../../e2e/support/jobs.ts'
import type { Case } from '../../e2e/support/mutations.ts'

/** Effect and answer are one transaction. */
const AT_ONCE = { kind: 'keyed', oneTransaction: true, protectsItself: false, inBetween: [] } as const

type Keyed = Extract<Case, { kind: 'keyed' }>
type Stage = Parameters<Keyed['prepare']>[0]

/** Lists a recurring template that is due once a year. */
const newTemplate = async ({ world }: Stage): Promise<string> => {
  const body = newJob({ recurring: true, schedule: { cron: '0 0 1 1 *' } })
  await world.admin.post('/admin/jobs', body, 201)
  return body.id
}

/** A request about one template, another one, and a stranger's. */
const ofTemplate =
  (answer: number): Keyed['prepare'] =>
  async (stage) => {
    const [mine, other, theirs] = [await newTemplate(stage), await newTemplate(stage), await newTemplate(stage)]
    const stranger = { agent: stage.secondAdmin, body: { templateId: theirs }, answer }
    return { agent: stage.world.admin, body: { templateId: mine }, other: { templateId: other }, stranger }
  }

const laneOf = (reason: string) => ({ lane: 'oss-anchored', action: 'resume', reason })

export const LANE_CASES = {
  setLaneState: {
    ...AT_ONCE,
    prepare: async ({ world, secondAdmin }) => {
      const stranger = { agent: secondAdmin, body: laneOf('Another one.'), answer: 200 }
      return { agent: world.admin, body: laneOf('One.'), other: laneOf('Two.'), stranger }
    },
  },
  fireTemplate: { ...AT_ONCE, prepare: ofTemplate(201) },
  pauseTemplate: { ...AT_ONCE, prepare: ofTemplate(200) },
  resumeTemplate: { ...AT_ONCE, prepare: ofTemplate(200) },
  sweepDefinitions: { kind: 'exempt', because: 'a sweep is a comparison: a second one pauses nothing that the first one did not' },
} satisfies Record<string, Case>
