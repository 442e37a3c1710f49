// How repeated requests about payloads of the workflow engine behave.
import type { Case } from '../../e2e/support/mutations.ts'

export const TEMPORAL_CASES = {
  convertPayloads: {
    kind: 'pure',
    because: 'it converts what it is given and stores nothing',
    prepare: async ({ world }) => ({
      token: world.admin.token(),
      body: { direction: 'decode', payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'e30=' }] },
    }),
  },
} satisfies Record<string, Case>
