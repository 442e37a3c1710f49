import { Agent, get } from 'node:http'

/** One GET over the agent's connections; resolves with the bytes of the answer. Anything but 200 fails the run. */
const ask = (url: string, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(Buffer.concat(chunks)) : reject(new Error(`${url}: ${response.statusCode}`)),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
  })

const kept = new Agent({ keepAlive: true })

/** Answer of one request, over a connection that is kept for the next one. */
export const fetchBytes = (url: string): Promise<Buffer> => ask(url, kept)

/** Milliseconds until the last byte of one answer. */
export const responseMs = async (url: string): Promise<number> => {
  const began = performance.now()
  await fetchBytes(url)
  return performance.now() - began
}

/** Requests per second that a server answers to keep-alive connections, each of which asks again as soon as it has its answer. */
export const requestsPerSecond = async (
  url: string,
  { connections, milliseconds }: { connections: number; milliseconds: number },
): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const began = performance.now()
  let answered = 0
  const keepAsking = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      await ask(url, agent)
      answered += 1
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, keepAsking))
    return answered / ((performance.now() - began) / 1000)
  } finally {
    agent.destroy()
  }
}
