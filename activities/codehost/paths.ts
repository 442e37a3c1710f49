import type { LookupFailure } from '../../schemas/codehost/record.ts'

/** Path of a file or folder with each of its segments encoded. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Path of a repository, `owner/name`, in the API of a code host. */
export const repositoryPath = (repo: string): string => `/repos/${encodePath(repo)}`

const ABSENT: ReadonlySet<string> = new Set(['codehost_api_404', 'codehost_api_410'])
/** Whether the host answers that there is nothing, in contrast to a failure. */
export const isAbsent = ({ reason }: Pick<LookupFailure, 'reason'>): boolean => ABSENT.has(reason)
