// Rows of the mutations of sources of jobs.
import type { Case, Stage } from '../../e2e/support/mutations.ts'

/** A run over a source is one workflow for its inputs and its key. */
const ONE_RUN = { kind: 'exempt', because: 'its answer depends on a source; test/api/ingestion shows that a key has one run' } as const

export const INGESTION_CASES = {
  ingestGithub: ONE_RUN,
  ingestWikipedia: ONE_RUN,
  ingestOsv: ONE_RUN,
  ingestOpenData: ONE_RUN,
  ingestOpenapi: ONE_RUN,
  ingestStandards: ONE_RUN,
  steerSource: {
    kind: 'keyed',
    oneTransaction: false,
    protectsItself: false,
    inBetween: [],
    prepare: async ({ world, secondAdmin }: Stage) => {
      const body = { provider: 'standards', action: 'pause', note: 'Not now.' }
      return { agent: world.admin, body, other: { ...body, note: 'Later.' }, stranger: { agent: secondAdmin, body, answer: 200 } }
    },
  },
} as const satisfies Record<string, Case>
