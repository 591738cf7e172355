// The blocked Gibbs sampler of the DPMPM as a textbook would write it, for the bench to compare with: record by
// record, the classes of a record inside, nested vectors, and the distributions of the standard library. The
// model, the order of its steps and the label moves are those of bench/plain/dpmpm-reference.ts.
//
// Standard input: records, variables, classes, iterations, repeats, seed; the number of categories of each
// variable; the codes of the records, row by row. Standard output: milliseconds of CPU an iteration, the median
// over the repeats, then the means of alpha and of the occupied classes over all their iterations, to see that it
// is the same sampler.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

struct State {
  Vector pi;
  // variables x categories x classes
  std::vector<std::vector<Vector>> phi;
  double alpha;
};

class Sampler {
 public:
  Sampler(std::vector<std::vector<int>> records, std::vector<int> sizes, int classes, unsigned long seed)
      : records_(std::move(records)), sizes_(std::move(sizes)), classes_(classes), random_(seed) {
    std::uniform_int_distribution<int> anyClass(0, classes_ - 1);
    z_.resize(records_.size());
    for (int& z : z_) z = anyClass(random_);
    state_.pi.resize(classes_);
    for (int size : sizes_) state_.phi.emplace_back(size, Vector(classes_));
    state_.alpha = 1;
    drawParameters();
  }

  void step() {
    allocate();
    drawParameters();
  }

  double alpha() const { return state_.alpha; }
  int occupied() const { return static_cast<int>(std::count_if(counts_.begin(), counts_.end(), [](int n) { return n > 0; })); }

 private:
  double uniform() { return unit_(random_); }
  double gamma(double shape) { return gamma_(random_, std::gamma_distribution<double>::param_type(shape, 1)); }
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  bool accepts(double logRatio) { return logRatio >= 0 || std::log(uniform()) < logRatio; }

  void allocate() {
    Vector probability(classes_);
    for (std::size_t i = 0; i < records_.size(); i++) {
      double total = 0;
      for (int f = 0; f < classes_; f++) {
        double product = state_.pi[f];
        for (std::size_t k = 0; k < sizes_.size(); k++) product *= state_.phi[k][records_[i][k]][f];
        probability[f] = product;
        total += product;
      }
      double rest = uniform() * total;
      int f = 0;
      while (f < classes_ - 1 && rest >= probability[f]) rest -= probability[f++];
      z_[i] = f;
    }
  }

  void swapLabels(int j, int l) {
    std::swap(counts_[j], counts_[l]);
    std::swap(holder_[j], holder_[l]);
  }

  void drawParameters() {
    counts_.assign(classes_, 0);
    std::vector<std::vector<std::vector<int>>> tally;
    for (int size : sizes_) tally.emplace_back(size, std::vector<int>(classes_, 0));
    for (std::size_t i = 0; i < records_.size(); i++) {
      counts_[z_[i]]++;
      for (std::size_t k = 0; k < sizes_.size(); k++) tally[k][records_[i][k]][z_[i]]++;
    }
    holder_.resize(classes_);
    for (int f = 0; f < classes_; f++) holder_[f] = f;
    swapWithoutSticks();
    drawSticks();
    switchLabels();
    for (std::size_t k = 0; k < sizes_.size(); k++) {
      for (int f = 0; f < classes_; f++) {
        double total = 0;
        for (int c = 0; c < sizes_[k]; c++) {
          state_.phi[k][c][f] = gamma(1 + tally[k][c][holder_[f]]);
          total += state_.phi[k][c][f];
        }
        for (int c = 0; c < sizes_[k]; c++) state_.phi[k][c][f] /= total;
      }
    }
    state_.alpha = gamma(0.25 + classes_ - 1) / (0.25 - logPi_[classes_ - 1]);
    for (int f = 0; f < classes_; f++) state_.pi[f] = std::exp(logPi_[f]);
  }

  void swapWithoutSticks() {
    double alpha = state_.alpha;
    for (int move = 0; move < classes_ && classes_ > 1; move++) {
      int first = below(classes_);
      int second = (first + 1 + below(classes_ - 1)) % classes_;
      int j = std::min(first, second);
      int l = std::max(first, second);
      int change = counts_[j] - counts_[l];
      double logRatio = 0;
      if (change != 0) {
        int after = 0;
        for (int f = l; f < classes_; f++) after += counts_[f];
        for (int f = l; f > j; f--) {
          if (f < classes_ - 1) logRatio += std::log((alpha + after) / (alpha + after + change));
          after += counts_[f - 1];
        }
        if (l == classes_ - 1) {
          logRatio += std::lgamma(counts_[l] + 1.0) + std::lgamma(alpha + counts_[j]) -
                      std::lgamma(counts_[j] + 1.0) - std::lgamma(alpha + counts_[l]);
        }
      }
      if (accepts(logRatio)) swapLabels(j, l);
    }
  }

  void drawSticks() {
    logStick_.assign(classes_, 0);
    logRest_.assign(classes_, 0);
    logPi_.assign(classes_, 0);
    int after = static_cast<int>(records_.size());
    double logRest = 0;
    for (int f = 0; f < classes_ - 1; f++) {
      after -= counts_[f];
      double x = logGamma(1 + counts_[f]);
      double y = logGamma(state_.alpha + after);
      double largest = std::max(x, y);
      double logTotal = largest + std::log(std::exp(x - largest) + std::exp(y - largest));
      logStick_[f] = x - logTotal;
      logRest_[f] = y - logTotal;
      logPi_[f] = logRest + logStick_[f];
      logRest += logRest_[f];
    }
    logPi_[classes_ - 1] = logRest;
  }

  // log of a gamma variate; a small shape would underflow.
  double logGamma(double shape) {
    return shape >= 1 ? std::log(gamma(shape)) : std::log(gamma(shape + 1)) + std::log(uniform()) / shape;
  }

  void switchLabels() {
    for (int move = 0; move < classes_ && classes_ > 1; move++) {
      int j = below(classes_);
      int l = (j + 1 + below(classes_ - 1)) % classes_;
      int difference = counts_[l] - counts_[j];
      if (difference == 0 || accepts(difference * (logPi_[j] - logPi_[l]))) swapLabels(j, l);
    }
    for (int move = 0; move < classes_ && classes_ > 2; move++) {
      int j = below(classes_ - 2);
      if (!accepts(counts_[j] * logRest_[j + 1] - counts_[j + 1] * logRest_[j])) continue;
      swapLabels(j, j + 1);
      double before = logPi_[j] - logStick_[j];
      std::swap(logStick_[j], logStick_[j + 1]);
      std::swap(logRest_[j], logRest_[j + 1]);
      logPi_[j] = before + logStick_[j];
      logPi_[j + 1] = before + logRest_[j] + logStick_[j + 1];
    }
  }

  std::vector<std::vector<int>> records_;
  std::vector<int> sizes_;
  int classes_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> unit_{0, 1};
  std::gamma_distribution<double> gamma_;
  std::vector<int> z_;
  State state_;
  std::vector<int> counts_;
  std::vector<int> holder_;
  Vector logStick_;
  Vector logRest_;
  Vector logPi_;
};

int main() {
  int records, variables, classes, iterations, repeats;
  unsigned long seed;
  std::cin >> records >> variables >> classes >> iterations >> repeats >> seed;
  std::vector<int> sizes(variables);
  for (int& size : sizes) std::cin >> size;
  std::vector<std::vector<int>> table(records, std::vector<int>(variables));
  for (auto& record : table)
    for (int& code : record) std::cin >> code;
  Sampler sampler(table, sizes, classes, seed);
  for (int i = 0; i < iterations; i++) sampler.step();
  Vector times;
  double alpha = 0, occupied = 0;
  for (int r = 0; r < repeats; r++) {
    std::clock_t started = std::clock();
    for (int i = 0; i < iterations; i++) {
      sampler.step();
      alpha += sampler.alpha();
      occupied += sampler.occupied();
    }
    times.push_back(1000.0 * (std::clock() - started) / CLOCKS_PER_SEC / iterations);
  }
  std::sort(times.begin(), times.end());
  std::cout << times[repeats / 2] << ' ' << alpha / repeats / iterations << ' '
            << occupied / repeats / iterations << '\n';
}
