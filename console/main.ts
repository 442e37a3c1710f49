// The smallest console: it reads its settings and reports that it lives.
import { createServer } from 'node:http'
import { z } from 'zod'

const Settings = z.object({
  NODE_ENV: z.string().default('development'),
  LOG_LEVEL: z.string().default('info'),
  HOST: z.string().default('127.0.0.1'),
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65_535).default(8793),
  /** Base address of the API, and public address of the console. */
  CONSOLE_API_URL: z.url(),
  CONSOLE_URL: z.url(),
  TEMPORAL_UI_URL: z.url().optional(),
  /** Server of the time of a local stack, and its bearer secret. */
  LOCAL_TIME_URL: z.url().optional(),
  LOCAL_TIME_SECRET: z.string().optional(),
})

const parsed = Settings.safeParse(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim() !== '')))
if (!parsed.success) {
  console.error(`bad settings:\n${z.prettifyError(parsed.error)}`)
  process.exit(1)
}
const { HOST, CONSOLE_PORT } = parsed.data
const server = createServer(({ url }, response) => {
  const isLive = url === '/health/live'
  response.writeHead(isLive ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify({ live: isLive }))
})
server.listen(CONSOLE_PORT, HOST)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0))
    server.closeAllConnections()
  })
