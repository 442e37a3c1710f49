// The least that a Node process does for streams: it keeps them open and writes the same bytes to all at each notification of the database.
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { openDatabase } from '../../../activities/database/database.ts'

const [file = '', port = '', databaseUrl = '', channel = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const open = new Set<ServerResponse>()
openDatabase({ url: databaseUrl, poolSize: 1 }).listen(channel, () => {
  for (const response of open) response.write(bytes)
})
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if (request.url !== '/events') return response.end()
  open.add(response)
  response.once('close', () => open.delete(response))
}).listen(Number(port), '127.0.0.1')
