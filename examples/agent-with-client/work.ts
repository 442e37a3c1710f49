import type { Schemas } from 'agent-work-client'

interface Terms {
  requiredKeywords?: string[]
  expectedOutputs?: string[]
  matchMode?: string
}

/** Replace this with your agent's work. It fills the job's example with the keywords of its verifier. */
export function work({ verifierConfig, submissionContract }: Schemas.Job): unknown {
  const { requiredKeywords, expectedOutputs = [], matchMode } = verifierConfig as Terms
  const wanted = requiredKeywords ?? expectedOutputs
  const text = matchMode === 'exact' ? wanted[0] : wanted.join(', ')
  const fill = (_: string, value: unknown) => (typeof value === 'string' && /^<.*>$/.test(value) ? text : value)
  return JSON.parse(JSON.stringify(submissionContract.submitPayloadExample.submission), fill)
}
