import type { JobSource } from '../../schemas/catalogue/job-definition.ts'

/** Method of jobs whose evidence is a pair of public addresses that must answer. */
export const OPEN_DATA_METHOD = 'fetchable_open_data_evidence'

/** True for an address that a job can pin: https, without port or credentials. */
export const isPinnable = (address: unknown): address is string => {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, username, password, port } = new URL(address)
  return protocol === 'https:' && port === '' && username === '' && password === ''
}

/** The two addresses that a job pins. */
export interface PinnedAddresses {
  datasetUrl: string
  resourceUrl: string
}

/** Pinned addresses of a job; an empty one matches no submission. */
export const pinnedAddresses = (source: JobSource | undefined): PinnedAddresses => ({
  datasetUrl: isPinnable(source?.datasetUrl) ? source.datasetUrl : '',
  resourceUrl: isPinnable(source?.resourceUrl) ? source.resourceUrl : '',
})
