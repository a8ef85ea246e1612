class Tidings < Formula
  desc "$summary"
  homepage "$page"
  version "$version"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "$download/tidings-aarch64-apple-darwin.tar.gz"
      sha256 "$aarch64_apple_darwin"
    end
    on_intel do
      url "$download/tidings-x86_64-apple-darwin.tar.gz"
      sha256 "$x86_64_apple_darwin"
    end
  end

  on_linux do
    on_arm do
      url "$download/tidings-aarch64-unknown-linux-musl.tar.gz"
      sha256 "$aarch64_unknown_linux_musl"
    end
    on_intel do
      url "$download/tidings-x86_64-unknown-linux-musl.tar.gz"
      sha256 "$x86_64_unknown_linux_musl"
    end
  end

  def install
    bin.install "tidings"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tidings.bash" => "tidings"
    zsh_completion.install "completions/tidings.zsh" => "_tidings"
    fish_completion.install "completions/tidings.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tidings --version")
  end
end
