// Shows the OpenAPI description and tries requests; no library, no network beyond this server.
const description = await (await fetch("/v1/openapi.json")).json();
const main = document.querySelector("#routes");
document.querySelector("#about").textContent = description.info.description;
main.replaceChildren(
  ...Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => routeView(path, method, route)),
  ),
);

function routeView(path, method, route) {
  const view = element("details");
  const title = element("summary");
  title.append(
    element("span", method.toUpperCase(), "method"),
    element("code", path),
    ` ${route.summary ?? ""}`,
  );
  view.append(title);
  const schema = route.requestBody?.content?.["application/json"]?.schema;
  const parameters = route.parameters ?? [];
  if (parameters.length > 0) view.append(section("Parameters", parameters.map(parameterLine).join("\n")));
  if (schema) view.append(section("Body", JSON.stringify(resolved(schema), null, 2)));
  view.append(section("Answers", answersText(route.responses)), tryView(path, method, parameters, schema));
  return view;
}

function tryView(path, method, parameters, schema) {
  const form = element("form");
  const inputs = parameters.map(({ name, in: place }) => {
    const input = element("input");
    input.placeholder = `${name} (${place})`;
    form.append(input);
    return { name, place, input };
  });
  const body = schema ? form.appendChild(element("textarea", "{}")) : undefined;
  const button = form.appendChild(element("button", "Try it"));
  const result = form.appendChild(element("pre"));
  button.type = "submit";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let url = path;
    for (const { name, place, input } of inputs) {
      if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value !== "") query.set(name, input.value);
    }
    const token = document.querySelector("#token").value;
    const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
      method: method.toUpperCase(),
      headers: {
        ...(body ? { "content-type": "application/json" } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: body.value } : {}),
    });
    const text = await response.text();
    result.textContent = `${response.status}\n${pretty(text)}`;
  });
  return form;
}

function section(title, text) {
  const view = element("div");
  view.append(element("strong", title), element("pre", text));
  return view;
}

function parameterLine({ name, in: place, required, schema }) {
  return `${name} (${place}${required ? ", required" : ""}): ${JSON.stringify(schema)}`;
}

function answersText(responses) {
  return Object.entries(responses)
    .map(([status, { description: said }]) => `${status}: ${said}`)
    .join("\n");
}

/** A schema with the one level of names that it refers to put in. */
function resolved(schema) {
  const name = schema.$ref?.split("/").at(-1);
  return name ? description.components.schemas[name] : schema;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 10_000);
  }
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
