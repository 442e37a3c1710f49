/** Longest id of a job. */
const ID_MAX = 120

/** Id of the listing of this number, from 2 on, of a job: `<first id>-r<number>`, the first id cut where both are too long. */
export const reissueIdOf = (firstId: string, number: number): string => {
  const suffix = `-r${number}`
  return `${firstId.slice(0, ID_MAX - suffix.length).replace(/[^a-z0-9]+$/, '')}${suffix}`
}

/** What decides whether an ended job is listed again. */
interface ReissueFacts {
  /** Whether the job needs no skill and no bond, so that its listing is one for new wallets. */
  isStarter: boolean
  /** Whether its verifier compares with secret values: they become public with the end of the job, so each listing needs others. */
  hasSecretAnswer: boolean
}

/** Whether a job can be listed again once it has ended. */
export const isReissuable = ({ isStarter, hasSecretAnswer }: ReissueFacts): boolean => isStarter && !hasSecretAnswer
