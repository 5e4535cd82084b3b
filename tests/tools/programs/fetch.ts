// Use the generated TypeScript client like an integrator: fetch everything, order an export, post a hand.
// Compiled and run by test_clients.py. Arguments: the server's address, and a file of facts. TOKEN and
// DEVICE_TOKEN are the tokens of a person and of a device.
import { readFileSync } from "node:fs";
import { createClient, createConfig } from "./made/client";
import {
  getExports,
  getExportsIdContent,
  getExportsIdManifest,
  getFacts,
  getFindings,
  getHold,
  getJournal,
  getReportsName,
  postExports,
  postFacts,
} from "./made/sdk.gen";
import type { Fact } from "./made/types.gen";

const [address, hand] = process.argv.slice(2) as [string, string];
const connect = (token: string | undefined) => createClient(createConfig({ baseUrl: address, auth: token ?? "" }));
const person = connect(process.env.TOKEN);
const device = connect(process.env.DEVICE_TOKEN);
const days = { property: "aurora", from: "2026-11-01", to: "2026-12-01" };

type Page<Item> = { items: Array<Item>; next: string | null };

/** Return all items of a list, page by page. */
async function listed<Item>(page: (cursor?: string) => Promise<Page<Item>>): Promise<Array<Item>> {
  const items: Array<Item> = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const part: Page<Item> = await page(cursor);
    items.push(...part.items);
    cursor = part.next;
  }
  return items;
}

async function main(): Promise<void> {
  const by = { client: person, throwOnError: true } as const;
  const hold = await getHold({ ...by, query: days });
  const drop = await getReportsName({ ...by, path: { name: "table-drop" }, query: days });
  const journal = await getJournal({ ...by, query: days });
  const findings = await listed(
    async (cursor) => (await getFindings({ ...by, query: { page_size: 40, cursor } })).data,
  );
  const facts = await listed(async (cursor) => (await getFacts({ ...by, query: { page_size: 40, cursor } })).data);
  const exported = (await postExports({ ...by, body: { what: "tally", format: "json", ...days } })).data;
  const exports = await listed(async (cursor) => {
    const page = (await getExports({ ...by, query: { page_size: 40, cursor } })).data;
    if (Array.isArray(page)) throw new Error("an older page");
    return page;
  });
  const path = { id: exported.id };
  const bytes = await getExportsIdContent({ ...by, path, parseAs: "arrayBuffer" });
  const content = new Uint8Array(bytes.data as unknown as ArrayBuffer);
  const manifest = (await getExportsIdManifest({ ...by, path })).data;
  const body: Array<Fact> = readFileSync(hand, "utf-8").trim().split("\n").map((line) => JSON.parse(line));
  const posted: Array<Array<boolean>> = [];
  for (const _ of [1, 2]) {
    const answer = await postFacts({ client: device, throwOnError: true, body });
    posted.push(answer.data.map((item) => item.fresh));
  }
  const refused = (await postFacts({ client: person, body })).error;
  const parts = Object.entries(journal.data).filter(([, part]) => Array.isArray(part));
  const rows = JSON.parse(new TextDecoder().decode(content)).rows.length;
  console.log(
    JSON.stringify({
      hold: hold.data.rows,
      drop: drop.data.rows,
      findings: findings.map((row) => row.id).sort(),
      facts: facts.map((row) => row.uid).sort(),
      journal: Object.fromEntries(parts.map(([name, part]) => [name, (part as Array<unknown>).length])),
      export: [exported.state, content.length, rows, manifest],
      exports: exports.map((row) => row.id),
      posted,
      refused: [refused?.status, refused?.code],
    }),
  );
}

void main();
