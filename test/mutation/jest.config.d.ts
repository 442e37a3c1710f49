declare const config: { testMatch: string[] }
export default config
