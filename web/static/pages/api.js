// SPDX-License-Identifier: GPL-3.0-or-later
// The REST API reference, generated from the OpenAPI document.

import "../shell.js";
import { t } from "../texts.js";
import { firstData, html, show } from "../view.js";

/**
 * The parts of the document that the page shows.
 * @typedef {{ $ref?: string, anyOf?: Schema[], enum?: unknown[], type?: string | string[], items?: Schema, description?: string, required?: string[], properties?: Record<string, Schema> }} Schema
 * @typedef {{ name: string, in: string, required?: boolean, schema: Schema, description?: string }} Parameter
 * @typedef {{ operationId: string, summary?: string, description?: string, parameters?: Parameter[], responses?: Record<string, { content?: Record<string, { schema: Schema }> }> }} Operation
 * @typedef {{ openapi: string, info: { title: string }, paths: Record<string, Record<string, Operation>>, components?: { schemas?: Record<string, Schema> } }} OpenApi
 */

/** @type {{ openapi: OpenApi }} */
const { openapi } = firstData();

/**
 * A short text for the type that a schema describes.
 * @param {Schema | undefined} schema
 * @returns {string}
 */
function kind(schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.anyOf) return schema.anyOf.map(kind).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return `${kind(schema.items) || "…"}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
}

/**
 * A text with its code in backticks as elements.
 * @param {string | undefined} text
 */
function prose(text) {
  return (text ?? "").split(/`+/).map((part, place) => (place % 2 ? html`<code>${part}</code>` : part));
}

/** @param {{ path: string, verb: string, operation: Operation }} props */
function Endpoint({ path, verb, operation }) {
  const answer = operation.responses?.["200"]?.content?.["application/json"]?.schema;
  const parameters = operation.parameters ?? [];
  const plain = verb === "get" && !path.includes("{") && !parameters.some(({ required }) => required);
  return html`
    <section class="endpoint surface" id=${operation.operationId}>
      <h2><span class="verb">${verb.toUpperCase()}</span> <code>${plain ? html`<a href=${path}>${path}</a>` : path}</code></h2>
      <p>${prose(operation.summary)} <span class="muted">${prose(operation.description)}</span></p>
      ${parameters.length > 0 &&
      html`<div class="scroll"><table><tbody>
        ${parameters.map(
          (parameter) => html`<tr>
            <td><code>${parameter.name}</code></td>
            <td class="muted">${parameter.in}${parameter.required ? t`, required` : ""}</td>
            <td class="muted"><code>${kind(parameter.schema)}</code></td>
            <td>${prose(parameter.description)}</td>
          </tr>`,
        )}
      </tbody></table></div>`}
      ${answer && html`<p class="small muted">Response: <code>${kind(answer)}</code></p>`}
    </section>
  `;
}

/** @param {{ name: string, schema: Schema }} props */
function Schema({ name, schema }) {
  const required = new Set(schema.required ?? []);
  return html`
    <section class="endpoint surface" id=${name}>
      <h3><code>${name}</code></h3>
      ${schema.description && html`<p class="muted">${prose(schema.description)}</p>`}
      <div class="scroll"><table><tbody>
        ${Object.entries(schema.properties ?? {}).map(
          ([field, value]) => html`<tr>
            <td><code>${field}</code>${required.has(field) ? "" : html` <span class="muted">optional</span>`}</td>
            <td class="muted"><code>${kind(value)}</code></td>
            <td>${prose(value.description)}</td>
          </tr>`,
        )}
      </tbody></table></div>
    </section>
  `;
}

show(html`
  <div class="stack">
    <div class="head">
      <h1>${openapi.info.title}</h1>
      <p class="muted">OpenAPI ${openapi.openapi} · <a href="/api/v1/openapi.json">openapi.json</a></p>
    </div>
    ${Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => html`<${Endpoint} path=${path} verb=${verb} operation=${operation} />`),
    )}
    <h2>Schemas</h2>
    ${Object.entries(openapi.components?.schemas ?? {}).map(([name, schema]) => html`<${Schema} name=${name} schema=${schema} />`)}
  </div>
`);
