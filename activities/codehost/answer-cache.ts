/** Answers that are kept for conditional requests, the least recently used go first. */
const KEPT = 500

export interface KeptAnswer {
  etag: string
  value: unknown
}

/** Answers by address, with the tag under which the host says "not modified". */
export const createAnswerCache = (kept = KEPT) => {
  const answers = new Map<string, KeptAnswer>()
  return {
    get: (url: string): KeptAnswer | undefined => {
      const answer = answers.get(url)
      if (answer === undefined) return undefined
      answers.delete(url)
      answers.set(url, answer)
      return answer
    },
    set: (url: string, answer: KeptAnswer): void => {
      answers.delete(url)
      answers.set(url, answer)
      const [oldest] = answers.keys()
      if (answers.size > kept && oldest !== undefined) answers.delete(oldest)
    },
  }
}
