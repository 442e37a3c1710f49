import type { Schemas } from 'agent-work-client'

interface Terms {
  requiredKeywords: string[]
}

/** Replace this with your agent's work. It fills the job's example with the keywords of its verifier. */
export function work({ verifierConfig, submissionContract }: Schemas.Job): unknown {
  const text = (verifierConfig as unknown as Terms).requiredKeywords.join(', ')
  const fill = (_: string, value: unknown) => (typeof value === 'string' && /^<.*>$/.test(value) ? text : value)
  return JSON.parse(JSON.stringify(submissionContract.submitPayloadExample.submission), fill)
}
