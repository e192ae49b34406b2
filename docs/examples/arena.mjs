// SPDX-License-Identifier: MIT
import { readFile } from "node:fs/promises";
import { basename, parse } from "node:path";

const ARENA = process.env.ARENA_URL ?? "http://127.0.0.1:8080";
const WAITING = ["waiting", "queued", "validating"];
const token = () => ({ authorization: `Bearer ${process.env.ARENA_TOKEN}` });
const json = (fields) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) });

async function ask(path, { headers, ...request } = {}, more = token()) {
  const response = await fetch(`${ARENA}/api/v1${path}`, { ...request, headers: { ...headers, ...more } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return { ...answer, cookies: response.headers.getSetCookie() };
}

async function signUp(name) {
  const { ARENA_PASSWORD: password, ARENA_CODE: code = "" } = process.env;
  const { cookies } = await ask("/accounts", json({ name, password, code }), {});
  // a request with the cookie of a session must name a page of the arena
  const session = { cookie: cookies.map((each) => each.split(";")[0]).join("; "), origin: new URL(ARENA).origin };
  return (await ask("/account/tokens", json({ label: "node", scopes: ["play", "submit"] }), session)).token;
}

async function register(name) {
  return (await ask("/bots", json({ name }))).token;
}

async function submit(file, name = parse(file).name) {
  const known = (await ask("/account/bots")).items.find((bot) => bot.name === name);
  const bot = known ?? (await ask("/bots", json({ name }))).bot;
  const upload = { method: "POST", headers: { "content-type": "application/octet-stream" }, body: await readFile(file) };
  let found = await ask(`/bots/${bot.id}/versions?file=${encodeURIComponent(basename(file))}`, upload);
  while (WAITING.includes(found.state)) {
    await new Promise((done) => setTimeout(done, 300));
    found = await ask(`/bots/${bot.id}/versions/${found.version}`);
  }
  return JSON.stringify({ bot: found.bot, version: found.version, state: found.state, log: found.log });
}

const [command, ...words] = process.argv.slice(2);
const commands = { "sign-up": signUp, register, submit };
console.log(await commands[command].apply(null, words));
