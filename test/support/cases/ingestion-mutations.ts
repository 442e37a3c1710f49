// Rows of the mutations of sources of jobs.
import type { Case, Stage } from '../../e2e/support/mutations.ts'

/** Effect and answer are those of a process. */
const BY_A_PROCESS = { kind: 'keyed', oneTransaction: false, protectsItself: false, inBetween: [] } as const

/** A dry run with these members of its source; the other one has another limit. */
const dryRun = (own: object): Case => ({
  ...BY_A_PROCESS,
  prepare: async ({ world, secondAdmin }: Stage) => {
    const body = { ...own, limit: 1 }
    return { agent: world.admin, body, other: { ...body, limit: 2 }, stranger: { agent: secondAdmin, body, answer: 200 } }
  },
})

export const INGESTION_CASES = {
  ingestGithub: dryRun({ query: 'label:bug' }),
  ingestWikipedia: dryRun({ language: 'en' }),
  ingestOsv: dryRun({ packages: [{ ecosystem: 'npm', name: 'minimist', version: '0.0.8' }] }),
  ingestOpenData: dryRun({ query: 'air quality' }),
  ingestOpenapi: dryRun({}),
  ingestStandards: dryRun({}),
  steerSource: {
    ...BY_A_PROCESS,
    prepare: async ({ world, secondAdmin }: Stage) => {
      const body = { provider: 'standards', action: 'pause', note: 'Not now.' }
      return { agent: world.admin, body, other: { ...body, note: 'Later.' }, stranger: { agent: secondAdmin, body, answer: 200 } }
    },
  },
} as const satisfies Record<string, Case>
