import { eventually } from '../../support/eventually.ts'

/** One frame of a stream; a comment has no topic. */
export interface Frame {
  id: string | null
  topic: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the stream sent.
  data: any
  comment: string | null
}

const fieldOf = (lines: readonly string[], name: string): string | null =>
  lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null

const parseFrame = (text: string): Frame => {
  const lines = text.split('\n')
  const data = fieldOf(lines, 'data')
  return {
    id: fieldOf(lines, 'id'),
    topic: fieldOf(lines, 'event'),
    data: data === null ? null : JSON.parse(data),
    comment: text.startsWith(': ') ? text.slice(2) : null,
  }
}

export interface StreamInit {
  token?: string
  lastEventId?: string
  /** Header `X-Forwarded-For`. */
  from?: string
}

/** Reads a stream until it ends or is cut. `frames` grows; `until` waits for a condition on it. */
export const openStream = async (url: string, { token, lastEventId, from }: StreamInit = {}) => {
  const cut = new AbortController()
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    ...(from !== undefined && { 'x-forwarded-for': from }),
  }
  const response = await fetch(url, { headers, signal: cut.signal })
  const frames: Frame[] = []
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      frames.push(...parts.map(parseFrame))
    }
  }
  const ended = read().catch(() => undefined)
  const events = (): Frame[] => frames.filter(({ id }) => id !== null)
  return {
    response,
    frames,
    events,
    ended,
    until: (holds: () => boolean): Promise<unknown> =>
      eventually(
        'the stream',
        () => ({ holds: holds(), last: frames.slice(-3) }),
        (now) => now.holds,
      ),
    cut: async (): Promise<void> => {
      cut.abort()
      await ended
    },
  }
}
