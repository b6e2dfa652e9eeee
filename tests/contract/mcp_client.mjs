// The official MCP client against `deft mcp`, with a real daemon and the virtual device behind it.
//   mcp_client.mjs DEFT DEFTD
import { Ajv } from 'ajv';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, connect, dir, initialize, pipe, request, start, text } from './rig.mjs';
import { run, test } from './tap.mjs';

const MAX_LIST = 40 * 1024;
// A device that begins a screenshot much too late.
const lateScene = {
  scene: 1, app: { id: 'late', name: 'Late' }, start: 'only',
  screens: [{ id: 'only', title: 'Only', body: [{ type: 'text', text: 'here' }] }],
  faults: [{ fault: 'delay', ms: 20000, command: 'screenshot' }],
};
let client;

// G06: what strict clients refuse.
function checkSchema(tool) {
  const { inputSchema } = tool;
  const seen = JSON.stringify(inputSchema);
  assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
  assert.equal(inputSchema.type, 'object');
  for (const key of ['oneOf', 'anyOf', 'allOf', '$ref', 'const']) assert.ok(!seen.includes(`"${key}"`), key);
  for (const [name, property] of Object.entries(inputSchema.properties)) {
    assert.equal(typeof property.type, 'string', `${tool.name}.${name} has one type`);
    assert.ok(property.description, `${tool.name}.${name} is described`);
    for (const value of property.enum ?? []) assert.equal(typeof value, 'string');
  }
  new Ajv({ strict: true }).compile(inputSchema);
}

test('initialize agrees on the newest version', async () => {
  client = await connect();
  assert.equal(client.getServerVersion().name, 'deft');
  assert.ok(client.getServerCapabilities().tools);
  assert.match(client.getInstructions(), /snapshot/);
});

test('tools/list is strict and small', async () => {
  const list = await client.listTools();
  assert.ok(list.tools.length > 10);
  for (const tool of list.tools) {
    checkSchema(tool);
    assert.ok(tool.annotations.title && typeof tool.annotations.readOnlyHint === 'boolean', tool.name);
  }
  const bytes = Buffer.byteLength(JSON.stringify(list));
  assert.ok(bytes <= MAX_LIST, `${bytes} bytes`);
  console.log(`# ${list.tools.length} tools, ${bytes} bytes`);
});

test('discovery finds no resources and prompts', async () => {
  assert.deepEqual((await client.listResources()).resources, []);
  assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
  assert.deepEqual((await client.listPrompts()).prompts, []);
  await client.setLoggingLevel('warning');
  await client.ping();
});

test('devices answers text and an object', async () => {
  const r = await client.callTool({ name: 'devices', arguments: {} });
  assert.equal(r.isError, false);
  assert.ok(Array.isArray(r.structuredContent.devices));
  assert.match(text(r), /virtual/);
});

test('a command without a session is a tool error with the next step', async () => {
  const r = await client.callTool({ name: 'press', arguments: { target: '@e1' } });
  assert.equal(r.isError, true);
  assert.equal(r.structuredContent.code, 'SESSION_NOT_FOUND');
  assert.match(text(r), /^Error \(SESSION_NOT_FOUND\): .*\nHint: .*open/);
});

test('wrong arguments are a tool error, a wrong tool is a protocol error', async () => {
  const r = await client.callTool({ name: 'press', arguments: { tarket: '@e1' } });
  assert.equal(r.structuredContent.code, 'INVALID_ARGS');
  assert.match(text(r), /tarket/);
  await assert.rejects(client.callTool({ name: 'presss', arguments: {} }), { code: -32602 });
});

test('an app is opened, read and pressed', async () => {
  const opened = await client.callTool({ name: 'open', arguments: { app: 'demo' } });
  assert.equal(opened.isError, false, text(opened));
  const seen = await client.callTool({ name: 'snapshot', arguments: { interactive: 'true' } });
  assert.equal(seen.isError, false, text(seen));
  const ref = text(seen).match(/@e\d+ \[button\]/)?.[0].split(' ')[0];
  assert.ok(ref, text(seen));
  const pressed = await client.callTool({ name: 'press', arguments: { target: ref, count: '1' } });
  assert.equal(pressed.isError, false, text(pressed));
});

test('a screenshot is a picture in the message and a file', async () => {
  const r = await client.callTool({ name: 'screenshot', arguments: {} });
  assert.equal(r.isError, false, text(r));
  const image = r.content.find((c) => c.type === 'image');
  assert.ok(image, text(r));
  assert.equal(image.mimeType, 'image/png');
  const bytes = Buffer.from(image.data, 'base64');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  assert.ok(Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) <= 1568);
  assert.ok(existsSync(r.structuredContent.path));
  assert.equal(readFileSync(r.structuredContent.path).subarray(1, 4).toString(), 'PNG');
});

test('a long call is canceled and the next one works', async () => {
  const scene = join(dir, 'late.json');
  writeFileSync(scene, JSON.stringify(lateScene));
  assert.equal((await client.callTool({ name: 'close', arguments: {} })).isError, false);
  const opened = await client.callTool({ name: 'open', arguments: { scene } });
  assert.equal(opened.isError, false, text(opened));
  const abort = new AbortController();
  const late = client.callTool({ name: 'screenshot', arguments: {} }, undefined, { signal: abort.signal });
  const side = await client.callTool({ name: 'devices', arguments: {} }); // calls run beside each other
  assert.equal(side.isError, false);
  abort.abort('enough');
  await assert.rejects(late);
  const r = await client.callTool({ name: 'devices', arguments: {} });
  assert.equal(r.isError, false, text(r));
});

test('closing the client ends the server', async () => {
  const { pid } = client.transport;
  await client.close();
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('every version is met, the newest is offered for others', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { messages } = pipe([initialize(1, version)]);
    assert.equal(messages[0].result.protocolVersion, version);
  }
  assert.equal(pipe([initialize(1, '2099-01-01')]).messages[0].result.protocolVersion, '2025-11-25');
});

test('initialize and tools/list from a pipe are both answered', async () => {
  const { status, messages } = pipe([
    initialize(1, '2025-11-25'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request(2, 'tools/list'),
  ]);
  assert.equal(status, 0);
  assert.deepEqual(messages.map((m) => m.id), [1, 2]);
  assert.ok(messages[1].result.tools.length > 10);
});

test('nothing but messages comes out, however talkative the log', async () => {
  const call = request(2, 'tools/call', { name: 'screenshot', arguments: { target: '@e1' } });
  const { messages, status } = pipe([initialize(1, '2025-11-25'), call], { DEFT_LOG: 'debug' });
  assert.equal(status, 0);
  assert.deepEqual(messages.map((m) => m.id), [1, 2]);
});

test('old versions get no structured content', async () => {
  const call = request(2, 'tools/call', { name: 'devices', arguments: '{}' });
  const old = pipe([initialize(1, '2025-03-26'), call]).messages[1];
  const newer = pipe([initialize(1, '2025-06-18'), call]).messages[1];
  assert.equal(old.result.structuredContent, undefined);
  assert.ok(newer.result.structuredContent.devices);
});

test('broken lines are answered and do not end the server', async () => {
  const { messages, status } = pipe(['{', '[]', '{"jsonrpc":"2.0","id":1}', request(2, 'no/such'), request(3, 'ping')]);
  assert.deepEqual(messages.map((m) => m.error?.code ?? 'ok'), [-32700, -32600, -32600, -32601, 'ok']);
  assert.equal(status, 0);
});

test('a client that dies does not leave the server behind', async () => {
  const { child, exit } = start();
  child.stdin.write(JSON.stringify(initialize(1, '2025-11-25')) + '\n');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.destroy(); // nobody reads any more; stdin stays open
  assert.equal((await exit).code, 0);
});

const status = await run();
cleanUp();
process.exit(status);
