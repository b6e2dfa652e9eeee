// A `deft mcp` for a test: a state directory of its own, and raw lines besides the official client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';

export const deft = absolute(process.argv[2]);
export const dir = mkdtempSync(join(tmpdir(), 'deft-mcp-'));
export const env = { ...process.env, DEFT_STATE_DIR: join(dir, 'state'), DEFT_DEFTD: absolute(process.argv[3]) };

export async function connect(args = ['--platform', 'virtual', 'mcp']) {
  const client = new Client({ name: 'contract-test', version: '1' });
  await client.connect(new StdioClientTransport({ command: deft, args, env, cwd: dir }));
  return client;
}

export const text = (result) => result.content.find((c) => c.type === 'text')?.text ?? '';

// Writes the lines and the end of the input; everything that came back, and the exit status.
export function pipe(lines, more = {}) {
  const input = lines.map((l) => (typeof l === 'string' ? l : JSON.stringify(l))).join('\n') + '\n';
  const r = spawnSync(deft, ['mcp'], { input, env: { ...env, ...more }, cwd: dir, encoding: 'utf8', timeout: 20000 });
  return { status: r.status, signal: r.signal, messages: r.stdout.split('\n').filter(Boolean).map(JSON.parse) };
}

// A server to end in some way: ended(how) waits for its exit status.
export function start() {
  const child = spawn(deft, ['mcp'], { env, cwd: dir, stdio: ['pipe', 'pipe', 'ignore'] });
  const exit = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
  child.stdin.on('error', () => {});
  return { child, exit };
}

export const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
export const initialize = (id, protocolVersion) =>
  request(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '0' } });

export function cleanUp() {
  spawnSync(deft, ['daemon', 'stop', '--force'], { env, cwd: dir, timeout: 20000 });
  rmSync(dir, { recursive: true, force: true });
}
