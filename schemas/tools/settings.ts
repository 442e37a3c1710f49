import { csv } from '../common/setting-parsers.ts'

export const settings = {
  MCP_HOSTS: csv,
}
