/** Workflow id of the early publication of a blob of one owner. */
export const contentDisclosureWorkflowId = (hash: string, owner: string): string => `content-disclosure/${hash}/${owner}`

/** A blob, one per owner. */
export interface ContentKey {
  hash: string
  /** Lower case. */
  owner: string
}

export interface ContentDisclosureInput extends ContentKey {
  v: 1
  requestId: string
}

export interface ContentRecordActivities {
  /** Makes the blob public and requests its chain event. A published blob does not change. */
  publishContent(input: ContentDisclosureInput): Promise<void>
}

export interface ContentChainActivities {
  /** Sends the requested chain event at most once and records its outcome; returns a status text. A process without the verifier key sends nothing. */
  discloseContent(input: ContentDisclosureInput): Promise<{ details: string }>
}
