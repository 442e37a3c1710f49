/** Limits of the cache for conditional requests: number of answers, and total bytes of their bodies. */
const MAX_ANSWERS = 500
const MAX_BYTES = 32 * 1024 * 1024

export interface CachedAnswer {
  etag: string
  value: unknown
  /** Length of the received body. */
  bytes: number
}

/** LRU cache of answers by URL, each with the ETag under which the host may answer "not modified". */
export const createAnswerCache = ({ maxAnswers, maxBytes } = { maxAnswers: MAX_ANSWERS, maxBytes: MAX_BYTES }) => {
  const answers = new Map<string, CachedAnswer>()
  let totalBytes = 0

  const drop = (url: string): void => {
    totalBytes -= answers.get(url)?.bytes ?? 0
    answers.delete(url)
  }

  return {
    get: (url: string): CachedAnswer | undefined => {
      const answer = answers.get(url)
      if (answer === undefined) return undefined
      answers.delete(url)
      answers.set(url, answer)
      return answer
    },
    set: (url: string, answer: CachedAnswer): void => {
      drop(url)
      answers.set(url, answer)
      totalBytes += answer.bytes
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers && totalBytes <= maxBytes) return
        drop(oldest)
      }
    },
  }
}
